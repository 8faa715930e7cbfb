// SPDX-License-Identifier: Apache-2.0

/// The sensors that are used: at most one of each kind, without that of the hinge, which is chosen with the accelerometer.
package struct AmbientCatalog: Equatable, Sendable {
  private let used: [AmbientSensor]

  /// Chooses among sensors, given in any order.
  ///
  /// A light sensor in lux is preferred to one in other units. After that, a sensor that is known to be in the display is
  /// preferred to one whose location is unknown, that to one in the base, and that to one that can be unplugged; those of
  /// cameras and peripherals are never used. Among equals, the first path in /sys is used, as with accelerometers.
  package init(choosingAmong sensors: [AmbientSensor] = []) {
    used = [.light, .proximity, .compass].compactMap { (kind: AmbientSensorKind) in
      sensors.filter { $0.kind == kind && $0.preference != .never }.min { $0.isPreferred(to: $1) }
    }
  }

  /// The sensor of a kind; nil if there is none.
  package subscript(kind: AmbientSensorKind) -> AmbientSensor? { used.first { $0.kind == kind } }
}

extension AmbientSensor {
  /// How much it is preferred by its location.
  fileprivate var preference: SensorDescription.Preference {
    device.place?.place == .base ? .base : device.preference
  }

  fileprivate func isPreferred(to other: AmbientSensor) -> Bool {
    let (isVague, isOtherVague) = (measure == .intensity, other.measure == .intensity)
    guard isVague == isOtherVague else { return isOtherVague }
    guard preference == other.preference else { return preference.rawValue < other.preference.rawValue }
    return device.precedes(other.device)
  }
}
