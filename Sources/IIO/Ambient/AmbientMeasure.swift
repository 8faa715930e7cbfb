// SPDX-License-Identifier: Apache-2.0

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

  /// The kind of sensor that measures this.
  public var kind: AmbientSensorKind {
    switch self {
    case .illuminance, .intensity: .light
    case .proximity: .proximity
    case .heading: .compass
    }
  }

  /// The reading that a value means.
  ///
  /// - Parameters:
  ///   - value: in the unit of this measure.
  ///   - before: the reading before; nil at the start.
  /// - Returns: the reading; nil if the value has no meaning.
  func reading(of value: Double, after before: AmbientReading?) -> AmbientReading? {
    switch self {
    // An offset can make the value of darkness negative.
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
