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

  /// The unrest of a device that is held still, beyond a hand's tremor: that of 0.02 g.
  ///
  /// Measured on the recordings: in the hand of who does not walk, while gravity turns by less than 5 degrees a second, 90 %
  /// of the samples lie below it; while it turns by more than 30, in hands, pockets and running arms, none of 36,455.
  private static let stillness: Float = 0.02 * 0.02

  private(set) var value: Float = 0

  /// Whether the device is held still.
  @inline(__always)
  var isStill: Bool { value < Self.stillness }

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
