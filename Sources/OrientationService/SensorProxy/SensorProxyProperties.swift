// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The properties of `net.hadess.SensorProxy` and its Compass.
enum SensorProxyProperty: String {
  case hasAccelerometer = "HasAccelerometer"
  case accelerometerOrientation = "AccelerometerOrientation"
  case accelerometerTilt = "AccelerometerTilt"
  case hasAmbientLight = "HasAmbientLight"
  case lightLevelUnit = "LightLevelUnit"
  case lightLevel = "LightLevel"
  case hasProximity = "HasProximity"
  case proximityNear = "ProximityNear"
  case hasCompass = "HasCompass"
  case compassHeading = "CompassHeading"

  /// The D-Bus type.
  var type: String {
    switch self {
    case .hasAccelerometer, .hasAmbientLight, .hasProximity, .proximityNear, .hasCompass: "b"
    case .accelerometerOrientation, .accelerometerTilt, .lightLevelUnit: "s"
    case .lightLevel, .compassHeading: "d"
    }
  }
}

/// The values of those properties.
struct SensorProxyProperties: Equatable {
  var hasAccelerometer: Bool
  var accelerometer: AccelerometerReading
  var hasAmbientLight: Bool
  var light: LightReading
  var hasProximity: Bool
  var isNear: Bool
  var hasCompass: Bool
  var heading: Double

  /// The present values.
  init(of sensors: ProxySensors) {
    hasAccelerometer = sensors.accelerometer.state.isPresent
    accelerometer = sensors.accelerometer.reading
    hasAmbientLight = sensors.light.state.isPresent
    light = sensors.light.reading
    hasProximity = sensors.proximity.state.isPresent
    isNear = sensors.proximity.reading
    hasCompass = sensors.compass.state.isPresent
    heading = sensors.compass.reading
  }

  /// Appends the value of a property.
  func append(_ property: SensorProxyProperty, to message: borrowing Message) throws(BusError) {
    switch property {
    case .hasAccelerometer: try message.append(hasAccelerometer)
    case .accelerometerOrientation: try message.append(accelerometer.orientation.rawValue)
    case .accelerometerTilt: try message.append(accelerometer.tilt.word)
    case .hasAmbientLight: try message.append(hasAmbientLight)
    case .lightLevelUnit: try message.append(light.unit.rawValue)
    case .lightLevel: try message.append(light.level)
    case .hasProximity: try message.append(hasProximity)
    case .proximityNear: try message.append(isNear)
    case .hasCompass: try message.append(hasCompass)
    case .compassHeading: try message.append(heading)
    }
  }

  /// The properties of a kind that claimants are sent after a change from `earlier`: all if a sensor has come or gone, and
  /// a light level always with its unit.
  func changes(of kind: ProxySensorKind, since earlier: SensorProxyProperties) -> [SensorProxyProperty] {
    switch kind {
    case .accelerometer:
      if hasAccelerometer != earlier.hasAccelerometer { return [kind.presence] + kind.values }
      var changes: [SensorProxyProperty] = []
      if accelerometer.orientation != earlier.accelerometer.orientation {
        changes.append(.accelerometerOrientation)
      }
      if accelerometer.tilt != earlier.accelerometer.tilt { changes.append(.accelerometerTilt) }
      return changes
    case .light:
      return Self.changes(of: kind, hasAmbientLight != earlier.hasAmbientLight, light != earlier.light)
    case .proximity:
      return Self.changes(of: kind, hasProximity != earlier.hasProximity, isNear != earlier.isNear)
    case .compass:
      return Self.changes(of: kind, hasCompass != earlier.hasCompass, heading != earlier.heading)
    }
  }

  private static func changes(
    of kind: ProxySensorKind, _ hasComeOrGone: Bool, _ saysOtherwise: Bool
  ) -> [SensorProxyProperty] {
    hasComeOrGone ? [kind.presence] + kind.values : saysOtherwise ? kind.values : []
  }
}
