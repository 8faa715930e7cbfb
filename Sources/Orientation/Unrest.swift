// SPDX-License-Identifier: Apache-2.0

/// How much the device moves right now, as a mean square in squares of standard gravity: zero at rest.
///
/// Two things show motion. What turns or shakes has its quick and its slow filter apart; what is pushed reads a length
/// other than gravity's.
struct Unrest {
  /// How long it is remembered, in seconds: long enough to bridge the turning points of a swing of the arm (1-2 Hz), where
  /// the device stands still for an instant, and shorter than any delay that a person notices.
  private static let memory: Float = 0.05

  /// How much the square of the length's deviation counts: of a push from a random direction, the length shows the one
  /// third along gravity, and the quick filter the rest.
  private static let lengthShare: Float = 0.3

  private(set) var value: Float = 0

  /// Takes in a sample.
  ///
  /// - Parameters:
  ///   - motion: the difference of the quick and the slow filter.
  ///   - magnitude: the sample's length.
  ///   - elapsed: the time since the last one, in seconds.
  @inline(__always)
  mutating func update(motion: Force, magnitude: Float, elapsed: Float) {
    let deviation = magnitude - 1
    let now = motion.squaredLength + Self.lengthShare * deviation * deviation
    value += lowPassWeight(elapsed: elapsed, timeConstant: Self.memory) * (now - value)
  }

  /// Forgets all motion.
  mutating func reset() {
    value = 0
  }
}
