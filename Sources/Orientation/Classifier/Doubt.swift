// SPDX-License-Identifier: Apache-2.0

/// How many times longer a decision takes than at rest: 1 for a device that is held still.
///
/// Present motion causes it, and what was going on lately multiplies it, so that stillness ends it within a tenth of
/// a second whatever was before.
struct Doubt {
  /// The unrest that doubles the time, as a mean square: 0.115 g of shaking, or a turn at 70 degrees a second, which keeps
  /// the two filters 0.115 g apart.
  private static let doublingUnrest: Float = 0.115 * 0.115

  /// How many times more each radian of to and fro makes motion count.
  ///
  /// Measured: with none there are 3.5 changes too many a minute instead of 1.0; from 16 to 40 it makes no difference.
  private static let perRadian: Float = 16

  /// The most: even in lasting turmoil an attitude that is clear wins in 13 s.
  private static let most: Float = 500

  private var unrest = Unrest()
  private var handling: Handling

  /// Creates a doubt that knows of no motion.
  ///
  /// - Parameter memory: how long being turned to and fro is remembered, in seconds.
  init(memory: Float) {
    handling = Handling(memory: memory)
  }

  /// Starts anew from a sample.
  mutating func start(at force: Force) {
    unrest.reset()
    handling.start(at: force)
  }

  /// Takes in a sample, after the filter did.
  ///
  /// - Parameters:
  ///   - filter: the filter.
  ///   - move: what the sample moved its slow gravity by.
  ///   - magnitude: the sample's length.
  ///   - elapsed: the time since the last one, in seconds.
  @inline(__always)
  mutating func update(with filter: GravityFilter, move: Force, magnitude: Float, elapsed: Float) {
    unrest.update(motion: filter.motion, magnitude: magnitude, elapsed: elapsed)
    handling.update(gravity: filter.slow, move: move, isStill: unrest.isStill, elapsed: elapsed)
  }

  /// How many times longer than at rest a decision takes, from 1 on.
  func factor(gravity: Force) -> Float {
    let history = 1 + Self.perRadian * handling.toAndFro(gravity: gravity)
    return smaller(1 + unrest.value / Self.doublingUnrest * history, Self.most)
  }
}
