// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The properties of `org.orientationd1.Device`, as far as they have been told.
struct DeviceSnapshot: Equatable {
  var orientation = DeviceOrientation.unknown
  var isGenerating = false
  var hasAccelerometer = false
  /// Empty where there is no sensor.
  var sensorName = ""
  /// A word of `SensorStatus`; kept as a word, since a newer daemon may know more of them.
  var sensorStatus = ""
  /// In hertz; 0 while the sensor does not run.
  var sampleRate = 0.0
  /// Filtered, m/s^2; nil while the sensor does not run.
  var gravity: Acceleration<ScreenFrame>?

  /// Takes over the properties of an `a{sv}`, the next argument of a message; others are passed over.
  mutating func update(from message: borrowing Message) throws(BusError) {
    var updated = self
    try message.readArray(of: "{sv}") { message throws(BusError) in
      try message.readDictionaryEntry("sv") { message throws(BusError) in
        try updated.update(try message.readString(), from: message)
      }
    }
    self = updated
  }

  private mutating func update(_ name: String, from message: borrowing Message) throws(BusError) {
    switch name {
    case "Orientation":
      let raw = try message.readVariant("u") { value throws(BusError) in try value.readUInt32() }
      orientation = DeviceOrientation(rawValue: raw) ?? .unknown
    case "GeneratesDeviceOrientationNotifications":
      isGenerating = try message.readVariant("b") { value throws(BusError) in try value.readBool() }
    case "HasAccelerometer":
      hasAccelerometer = try message.readVariant("b") { value throws(BusError) in try value.readBool() }
    case "SensorName":
      sensorName = try message.readVariant("s") { value throws(BusError) in try value.readString() }
    case "SensorStatus":
      sensorStatus = try message.readVariant("s") { value throws(BusError) in try value.readString() }
    case "SampleRate":
      sampleRate = try message.readVariant("d") { value throws(BusError) in try value.readDouble() }
    case "Gravity":
      let read = try message.readVariant("(ddd)") { value throws(BusError) in try value.readGravity() }
      gravity = read.magnitudeSquared > 0 ? read : nil
    default:
      try message.skip("v")
    }
  }
}

extension Message {
  fileprivate func readGravity() throws(BusError) -> Acceleration<ScreenFrame> {
    try readStruct("ddd") { fields throws(BusError) in
      Acceleration(x: try fields.readDouble(), y: try fields.readDouble(), z: try fields.readDouble())
    }
  }
}
