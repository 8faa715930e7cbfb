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

  private var unrest = Unrest()
  private var handling: Handling

  /// Creates a doubt without motion.
  ///
  /// - Parameter memory: how long turns to and fro are remembered, in seconds.
  init(memory: Float) {
    handling = Handling(memory: memory)
  }

  /// Starts again from a sample.
  mutating func start(at force: Force) {
    unrest.reset()
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
    unrest.update(motion: filter.motion, elapsed: elapsed)
    handling.update(
      gravity: filter.slow, move: move, squaredNoise: noise.squaredMove,
      isStill: unrest.isStill(noise: noise.unrest),
      elapsed: elapsed)
  }

  /// How many times longer than at rest a decision takes; at least 1.
  func factor(gravity: Force) -> Float {
    let history = 1 + Self.perRadian * handling.toAndFro(gravity: gravity)
    return smaller(1 + unrest.value / Self.doublingUnrest * history, Self.most)
  }
}
