// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// The kinds of sensors that clients claim, each for itself.
enum ProxySensorKind: Int, CaseIterable {
  case accelerometer
  case light
  case proximity
  case compass

  /// Its name in the methods that claim and release it.
  var name: String {
    switch self {
    case .accelerometer: "Accelerometer"
    case .light: "Light"
    case .proximity: "Proximity"
    case .compass: "Compass"
    }
  }

  /// The object that has it.
  var path: String { self == .compass ? DBusNames.compassPath : DBusNames.proxyPath }

  /// The interface that has it.
  var interface: String { self == .compass ? DBusNames.compassInterface : DBusNames.proxyInterface }

  /// Its properties: whether there is one, and then what it says.
  var properties: [Property<ProxyReading>] {
    switch self {
    case .accelerometer:
      [
        Property("HasAccelerometer") { $0.isPresent },
        Property("AccelerometerOrientation") { $0.orientation.rawValue },
        Property("AccelerometerTilt") { $0.tilt.word },
      ]
    case .light:
      [
        Property("HasAmbientLight") { $0.isPresent },
        // iio-sensor-proxy calls every level lux: its vendor unit is percent, which an intensity is not.
        Property("LightLevelUnit") { _ in "lux" },
        Property("LightLevel") { $0.light },
      ]
    case .proximity: [Property("HasProximity") { $0.isPresent }, Property("ProximityNear") { $0.isNear }]
    case .compass: [Property("HasCompass") { $0.isPresent }, Property("CompassHeading") { $0.heading }]
    }
  }
}

/// What a sensor of any kind says, in iio-sensor-proxy's words.
///
/// What other kinds say is as it is without a sensor.
struct ProxyReading: Equatable {
  /// Whether there is a sensor.
  var isPresent = false
  var orientation = ProxyOrientation.undefined
  var tilt = ScreenTilt.undefined
  var light = 0.0
  /// Whether something is near.
  var isNear = false
  /// Degrees from magnetic north, clockwise; negative if that is not known.
  var heading = -1.0
}

extension ProxyReading {
  /// The reading of a sensor beside the accelerometer; nil for a hinge, which iio-sensor-proxy does not have.
  init?(_ reading: AmbientReading) {
    switch reading {
    case .light(let level): self.init(light: level.value)
    case .proximity(let proximity): self.init(isNear: proximity == .near)
    case .compass(let heading): self.init(heading: heading.degrees)
    case .hinge: return nil
    }
  }
}
