// SPDX-License-Identifier: Apache-2.0

/// Which way the device points: the angle from north to its top, clockwise.
public struct CompassHeading: Equatable, Sendable, BitwiseCopyable {
  /// The least difference that counts, in degrees: the needle of a magnetometer trembles by as much.
  static let leastDifference = 1.0

  /// The angle, in degrees: 0 is north and 90 east; at least 0, and less than 360.
  public let degrees: Double

  /// Takes an angle in degrees, any number of turns away; nil for what is no number.
  public init?(degrees: Double) {
    guard degrees.isFinite else { return nil }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    // What is next to nothing below zero is rounded up to a whole turn. The sum takes the sign from a zero.
    self.degrees = turned < 360 ? turned + 0 : 0
  }

  /// Whether it differs by as much as is worth telling, on the shorter way round.
  func differs(from other: CompassHeading) -> Bool {
    let difference = abs(degrees - other.degrees)
    return min(difference, 360 - difference) >= Self.leastDifference
  }
}
