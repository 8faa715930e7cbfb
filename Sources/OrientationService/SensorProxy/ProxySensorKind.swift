// SPDX-License-Identifier: Apache-2.0

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

  /// Its property that says whether there is one.
  var presence: Property<SensorProxyProperties> {
    switch self {
    case .accelerometer: Property("HasAccelerometer") { $0.hasAccelerometer }
    case .light: Property("HasAmbientLight") { $0.hasAmbientLight }
    case .proximity: Property("HasProximity") { $0.hasProximity }
    case .compass: Property("HasCompass") { $0.hasCompass }
    }
  }

  /// Its properties that say what it says.
  var values: [Property<SensorProxyProperties>] {
    switch self {
    case .accelerometer:
      [
        Property("AccelerometerOrientation") { $0.accelerometer.orientation.rawValue },
        Property("AccelerometerTilt") { $0.accelerometer.tilt.word },
      ]
    case .light:
      [Property("LightLevelUnit") { $0.light.unit.rawValue }, Property("LightLevel") { $0.light.level }]
    case .proximity: [Property("ProximityNear") { $0.isNear }]
    case .compass: [Property("CompassHeading") { $0.heading }]
    }
  }
}
