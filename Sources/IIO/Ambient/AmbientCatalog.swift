// SPDX-License-Identifier: Apache-2.0

/// The sensor that is used for each kind.
public struct AmbientCatalog: Equatable, Sendable {
  /// The light sensor; nil if there is none.
  public let light: AmbientSensor?
  /// The proximity sensor; nil if there is none.
  public let proximity: AmbientSensor?
  /// The compass; nil if there is none.
  public let compass: AmbientSensor?

  /// A machine without such sensors.
  public init() {
    self.init(choosingAmong: [])
  }

  /// Chooses among sensors, given in any order.
  ///
  /// A light sensor in lux is preferred to one in other units. After that, a sensor that is known to be in the display is
  /// preferred to one whose location is unknown, that to one in the base, and that to one that can be unplugged; those of
  /// cameras and peripherals are never used. Among equals, the first path in /sys is used, as with accelerometers.
  public init(choosingAmong sensors: [AmbientSensor]) {
    func best(_ kind: AmbientSensorKind) -> AmbientSensor? {
      sensors.filter { $0.kind == kind && $0.rank != .never }.min { $0.isPreferred(to: $1) }
    }
    light = best(.light)
    proximity = best(.proximity)
    compass = best(.compass)
  }

  /// The sensor of a kind; nil if there is none.
  public subscript(kind: AmbientSensorKind) -> AmbientSensor? {
    switch kind {
    case .light: light
    case .proximity: proximity
    case .compass: compass
    case .hinge: nil  // it is chosen with the accelerometer
    }
  }
}

extension AmbientSensor {
  /// How much the location of a sensor is preferred; the lowest comes first.
  fileprivate enum Rank: Int {
    case display, unknown, base, removable, never
  }

  fileprivate var rank: Rank {
    switch device.place?.place {
    case .display: .display
    case nil: device.isRemovable ? .removable : .unknown
    case .base: .base
    case .camera, .peripheral: .never
    }
  }

  fileprivate func isPreferred(to other: AmbientSensor) -> Bool {
    let (isVague, isOtherVague) = (measure == .intensity, other.measure == .intensity)
    guard isVague == isOtherVague else { return isOtherVague }
    guard rank == other.rank else { return rank.rawValue < other.rank.rawValue }
    return device.precedes(other.device)
  }
}
