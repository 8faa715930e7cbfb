// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The meaning of a channel's number.
public enum AmbientMeasure: Equatable, Sendable, BitwiseCopyable {
  /// Illuminance, in lux.
  case illuminance
  /// Light, in the chip's own units.
  case intensity
  /// An echo, in the chip's own counts, which are meaningful only in comparison with the near level.
  case proximity(NearLevel)
  /// The angle from north, in degrees.
  case heading
  /// The angle of a hinge, in degrees: 0 if it is closed, 360 if it is folded back; not a number if that is unknown.
  case hingeAngle

  /// The kind of sensor that measures this.
  public var kind: AmbientSensorKind {
    switch self {
    case .illuminance, .intensity: .light
    case .proximity: .proximity
    case .heading: .compass
    case .hingeAngle: .hinge
    }
  }

  /// The reading that a value in the unit of this measure means, after another one; nil if it has no meaning.
  func reading(of value: Double, after before: AmbientReading?) -> AmbientReading? {
    switch self {
    // An offset can make the value of darkness negative.
    case .illuminance: .light(.illuminance(lux: max(value, 0)))
    case .intensity: .light(.intensity(vendorUnits: max(value, 0)))
    case .proximity(let nearLevel):
      .proximity(nearLevel.proximity(at: value, afterNear: before == .proximity(.near)))
    case .heading: CompassHeading(degrees: value).map { .compass($0) }
    case .hingeAngle:
      if case .hinge(let position) = before {
        .hinge(position.moved(to: value))
      } else {
        .hinge(HingePosition().moved(to: value))
      }
    }
  }
}
