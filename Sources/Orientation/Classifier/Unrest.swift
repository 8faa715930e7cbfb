// SPDX-License-Identifier: Apache-2.0

/// How much the device moves now, as a mean square in squares of standard gravity: zero at rest.
///
/// Two things show motion. When the device turns or shakes, its quick and its slow filter differ; when it is pushed, the
/// length of its reading is not that of gravity.
struct Unrest {
  /// How long it is remembered, in seconds: long enough for the turning points of a swing of the arm (1-2 Hz), where the
  /// device stands still for an instant, and shorter than any delay that a person notices.
  private static let memory: Float = 0.05

  /// How much the square of the length's deviation counts: of a push from a random direction, the length shows the third
  /// along gravity, and the quick filter shows the rest.
  private static let lengthShare: Float = 0.3

  /// The largest unrest of a device that is held still, above that of a hand's tremor: 0.02 g.
  ///
  /// Measured on the recordings: in the hand of a person who does not walk, while gravity turns by less than 5 degrees a
  /// second, 90 % of the samples are below it; while it turns by more than 30, in hands, pockets and on running arms, none
  /// of 36,455. A sensor's noise adds to it: with 100 mg at 25 Hz, turns by less than 70 degrees a second are not seen.
  private static let stillness: Float = 0.02 * 0.02

  private(set) var value: Float = 0

  /// Whether the device is held still.
  ///
  /// - Parameter noise: the unrest that the sensor's noise rarely exceeds.
  /// - Returns: true if the unrest is that of a hand's tremor and of the noise.
  @inline(__always)
  func isStill(noise: Float) -> Bool { value < Self.stillness + noise }

  /// The unrest that a sensor's noise causes.
  ///
  /// - Parameters:
  ///   - motion: the mean square of the difference of the filters.
  ///   - variance: the variance of the noise, all axes together; the length shows that of one axis.
  /// - Returns: the unrest.
  static func ofNoise(motion: Float, variance: Float) -> Float {
    motion + Self.lengthShare * variance / 3
  }

  /// Updates the unrest with a sample.
  ///
  /// - Parameters:
  ///   - motion: the difference of the quick and the slow filter.
  ///   - magnitude: the sample's length.
  ///   - elapsed: the time since the previous sample, in seconds.
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
