// SPDX-License-Identifier: Apache-2.0

import Orientation

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
  var presence: SensorProxyProperty {
    switch self {
    case .accelerometer: .hasAccelerometer
    case .light: .hasAmbientLight
    case .proximity: .hasProximity
    case .compass: .hasCompass
    }
  }

  /// Its properties that say what it says.
  var values: [SensorProxyProperty] {
    switch self {
    case .accelerometer: [.accelerometerOrientation, .accelerometerTilt]
    case .light: [.lightLevelUnit, .lightLevel]
    case .proximity: [.proximityNear]
    case .compass: [.compassHeading]
    }
  }
}
