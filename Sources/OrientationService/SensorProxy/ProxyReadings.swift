// SPDX-License-Identifier: Apache-2.0

import Orientation

/// What the accelerometer says in iio-sensor-proxy's words.
struct AccelerometerReading: Equatable {
  var orientation = ProxyOrientation.undefined
  var tilt = ProxyTilt.undefined
}

/// What the light sensor says.
struct LightReading: Equatable {
  /// The unit of a level: the values of `LightLevelUnit`.
  enum Unit: String {
    case lux
    /// Percent of the largest reading.
    case vendor
  }

  var level = 0.0
  var unit = Unit.lux
}

/// What the compass says: degrees from magnetic north, clockwise.
enum CompassReading {
  /// What is said where that is not known.
  static let unknown = -1.0
}

/// Every kind of sensor that SensorProxy serves; of each one.
struct ProxySensors {
  let accelerometer = ProxySensor(nothing: AccelerometerReading())
  let light = ProxySensor(nothing: LightReading())
  /// Whether something is near.
  let proximity = ProxySensor(nothing: false)
  /// Degrees from magnetic north, clockwise.
  let compass = ProxySensor(nothing: CompassReading.unknown)
}
