// SPDX-License-Identifier: Apache-2.0

/// What the number that a channel gives stands for.
public enum AmbientMeasure: Equatable, Sendable, BitwiseCopyable {
  /// Illuminance, in lux.
  case illuminance
  /// Light, in units of the chip's own.
  case intensity
  /// An echo, in counts of the chip's own, which means something only beside the level from which on it is near.
  case proximity(NearLevel)
  /// The angle from north, in degrees.
  case heading

  /// The kind of sensor that measures this.
  public var kind: AmbientSensorKind {
    switch self {
    case .illuminance, .intensity: .light
    case .proximity: .proximity
    case .heading: .compass
    }
  }

  /// What a value says.
  ///
  /// - Parameters:
  ///   - value: in the unit of this measure.
  ///   - before: what was said before; nil at the start.
  /// - Returns: the reading; nil where a value says nothing.
  func reading(of value: Double, after before: AmbientReading?) -> AmbientReading? {
    switch self {
    // An offset can take darkness below zero.
    case .illuminance: .light(.illuminance(lux: max(value, 0)))
    case .intensity: .light(.intensity(vendorUnits: max(value, 0)))
    case .proximity(let nearLevel):
      if case .proximity(let proximity) = before {
        .proximity(nearLevel.proximity(at: value, after: proximity))
      } else {
        .proximity(nearLevel.proximity(at: value, after: nil))
      }
    case .heading: CompassHeading(degrees: value).map { .compass($0) }
    }
  }
}
