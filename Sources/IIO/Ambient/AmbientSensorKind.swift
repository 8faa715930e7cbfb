// SPDX-License-Identifier: Apache-2.0

/// The kinds of sensor beside the accelerometer: each tells one number, and slowly.
public enum AmbientSensorKind: String, CaseIterable, Sendable {
  /// How bright it is around the device.
  case light
  /// Whether something is close to the screen, such as a head at a telephone.
  case proximity
  /// Which way the device points.
  case compass

  /// How often a value is asked for, in hertz, and so how long a change goes unseen at most.
  ///
  /// The screen's brightness is faded over seconds, and half a second of delay does not show. A telephone at the ear is
  /// there within a quarter of a second, and so turns who looks at a compass.
  public var rate: Double {
    switch self {
    case .light: 2
    case .proximity, .compass: 4
    }
  }

  /// Its name for people.
  public var name: String {
    switch self {
    case .light: "light sensor"
    case .proximity: "proximity sensor"
    case .compass: "compass"
    }
  }
}
