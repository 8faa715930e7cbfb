// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Finds gravity in the accelerometer's readings, for streams of it.
///
/// A first-order low-pass with nearly the time constant of the classifier's slow filter (`GravityFilter`): a turn by hand is followed, and
/// of a vibration at 20 Hz, such as that of a finger that touches the screen, a fifteenth is left.
struct GravityLowPass {
  /// The time constant, in seconds.
  static let timeConstant: Float = 0.12
  /// After a longer gap, in seconds, it starts again.
  private static let longestGap = 1.0

  private var gravity: MotionSample?

  /// Starts again with the next sample.
  mutating func forget() { gravity = nil }

  /// Processes a sample of the accelerometer; returns gravity at its time.
  mutating func update(_ sample: MotionSample) -> MotionSample {
    guard sample.x.isFinite, sample.y.isFinite, sample.z.isFinite else { return gravity ?? sample }
    var next = gravity ?? sample
    let elapsed = sample.time.seconds(since: next.time)
    guard gravity != nil, elapsed >= 0, elapsed < Self.longestGap else {
      gravity = sample
      return sample
    }
    let weight = Float(elapsed) / (Self.timeConstant + Float(elapsed))
    next.time = sample.time
    next.x += weight * (sample.x - next.x)
    next.y += weight * (sample.y - next.y)
    next.z += weight * (sample.z - next.z)
    gravity = next
    return next
  }
}
