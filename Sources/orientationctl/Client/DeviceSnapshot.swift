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

  /// Takes over the properties of an `a{sv}`, the next argument of a message; others are passed over.
  mutating func update(from message: borrowing Message) throws(BusError) {
    var updated = self
    try message.readProperties { name, message throws(BusError) in try updated.update(name, from: message) }
    self = updated
  }

  private mutating func update(_ name: String, from message: borrowing Message) throws(BusError) {
    switch name {
    case "Orientation":
      orientation = DeviceOrientation(rawValue: try message.readUInt32Variant()) ?? .unknown
    case "GeneratesDeviceOrientationNotifications": isGenerating = try message.readBoolVariant()
    case "HasAccelerometer": hasAccelerometer = try message.readBoolVariant()
    case "SensorName": sensorName = try message.readStringVariant()
    case "SensorStatus": sensorStatus = try message.readStringVariant()
    case "SampleRate":
      sampleRate = try message.readVariant("d") { value throws(BusError) in try value.readDouble() }
    default: try message.skip("v")
    }
  }
}
