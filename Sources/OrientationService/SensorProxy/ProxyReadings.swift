// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The accelerometer's reading in iio-sensor-proxy's words.
struct AccelerometerReading: Equatable {
  var orientation = ProxyOrientation.undefined
  var tilt = ProxyTilt.undefined
}

/// The light sensor's reading.
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

/// The compass's reading: degrees from magnetic north, clockwise.
enum CompassReading {
  /// The value if that is not known.
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
