// SPDX-License-Identifier: Apache-2.0

/// How much the device moves now, as a mean square in squares of standard gravity: zero at rest.
///
/// When the device turns or shakes, its quick and its slow filter differ.
struct Unrest {
  /// How long it is remembered, in seconds: long enough for the turning points of a swing of the arm (1-2 Hz), where the
  /// device stands still for an instant, and shorter than any delay that a person notices.
  private static let memory: Float = 0.035

  /// The largest unrest of a device that is held still, above that of a hand's tremor: 0.02 g.
  ///
  /// The two filters differ so much while gravity turns by 14 degrees a second. A sensor's noise adds to it: with 100 mg at
  /// 25 Hz, turns by less than 60 degrees a second are not seen.
  private static let stillness: Float = 0.02 * 0.02

  private(set) var value: Float = 0

  /// Whether the device is held still.
  ///
  /// - Parameter noise: the unrest that the sensor's noise rarely exceeds.
  /// - Returns: true if the unrest is that of a hand's tremor and of the noise.
  @inline(__always)
  func isStill(noise: Float) -> Bool { value < Self.stillness + noise }

  /// Updates the unrest with a sample.
  ///
  /// - Parameters:
  ///   - motion: the difference of the quick and the slow filter.
  ///   - elapsed: the time since the previous sample, in seconds.
  @inline(__always)
  mutating func update(motion: Force, elapsed: Float) {
    value += lowPassWeight(elapsed: elapsed, timeConstant: Self.memory) * (motion.squaredLength - value)
  }

  /// Forgets all motion.
  mutating func reset() {
    value = 0
  }
}
