// SPDX-License-Identifier: Apache-2.0

/// How many times longer a decision takes than at rest: 1 for a device that is held still.
///
/// Present motion causes it, and recent motion multiplies it, so it ends within a tenth of a second when the device is
/// still, whatever was before.
struct Doubt {
  /// The unrest that doubles the time, as a mean square: 0.075 g of shaking, or a turn at 50 degrees a second, during which
  /// the two filters differ by 0.075 g.
  private static let doublingUnrest: Float = 0.075 * 0.075

  /// How much more motion counts for each radian to and fro.
  ///
  /// It is a compromise between the recordings that tumble, where more means fewer changes that nobody sees as turns, and
  /// people who walk, where it is what delays their turns.
  private static let perRadian: Float = 6

  /// The limit: even in continuous turmoil, an attitude turned by 90 degrees is decided within 14 s.
  private static let most: Float = 500

  /// How long the unrest is remembered, in seconds: long enough for the turning points of a swing of the arm (1-2 Hz), where the
  /// device stands still for an instant, and shorter than any delay that a person notices.
  private static let memory: Float = 0.035

  /// The largest unrest of a device that is held still, above that of a hand's tremor: 0.02 g.
  ///
  /// The two filters differ so much while gravity turns by 14 degrees a second. A sensor's noise adds to it: with 100 mg at
  /// 25 Hz, turns by less than 60 degrees a second are not seen.
  private static let stillness: Float = 0.02 * 0.02

  /// How much the device moves now, as a mean square in squares of standard gravity: zero at rest.
  ///
  /// When the device turns or shakes, its quick and its slow filter differ.
  private var unrest: Float = 0
  private var handling: Handling

  /// Creates a doubt without motion.
  ///
  /// - Parameter memory: how long turns to and fro are remembered, in seconds.
  init(memory: Float) {
    handling = Handling(memory: memory)
  }

  /// Starts again from a sample.
  mutating func start(at force: Force) {
    unrest = 0
    handling.start(at: force)
  }

  /// Updates the doubt with a sample, after the filter was updated.
  ///
  /// - Parameters:
  ///   - filter: the filter.
  ///   - move: how much the sample moved the filter's slow gravity.
  ///   - noise: what the sensor's noise contributes.
  ///   - elapsed: the time since the previous sample, in seconds.
  @inline(__always)
  mutating func update(
    with filter: GravityFilter, move: Force, noise: NoiseFloor, elapsed: Float
  ) {
    let weight = lowPassWeight(elapsed: elapsed, timeConstant: Self.memory)
    unrest += weight * (filter.motion.squaredLength - unrest)
    handling.update(
      gravity: filter.slow, move: move, squaredNoise: noise.squaredMove,
      isStill: unrest < Self.stillness + noise.unrest,
      elapsed: elapsed)
  }

  /// How many times longer than at rest a decision takes; at least 1.
  func factor(gravity: Force) -> Float {
    let history = 1 + Self.perRadian * handling.toAndFro(gravity: gravity)
    return smaller(1 + unrest / Self.doublingUnrest * history, Self.most)
  }
}
