// SPDX-License-Identifier: Apache-2.0

// In motion that lasts, the quick decision is nearly blind. The doubt is large, many samples are not credible, and what speaks
// for the present orientation counts four times; if that orientation is wrong, it stays wrong. But in the long run, the mean
// force is gravity, whatever the motion: any other mean force would make the device faster and faster. So a second opinion is
// formed from a long mean. If it contradicts the present orientation clearly, the orientation changes, whatever the doubt is.
//
// It corrects what lasts and must not hurry. After each quick decision and after each rest, it starts from their gravity.
// It also decides for a device that is held a little past a border while noise or tremor hide that from the quick decision.
//
// The length of the mean, from which it is gravity, and the need are a compromise between running, where a wrong state must
// end, and whirling a device round, where a right one must stay. `make quality` shows how long wrong states live.

/// A slow decision from a long mean, for wrong orientations that the quick decision does not correct.
struct SecondOpinion {
  /// The time constant of the mean, in seconds: several steps of a person who walks.
  private static let timeConstant: Float = 1.5

  /// The evidence that a change needs, in seconds: 0.7 s of a mean that is turned by 90 degrees.
  ///
  /// The mean itself needs two to three seconds to follow a sudden turn.
  private static let need: Float = 0.4

  private var mean = Force()
  /// The time that the mean averages over, in seconds; at most ``timeConstant``.
  private var span: Float = 0
  private let border: Border
  private var evidence: Evidence

  /// Creates one without samples.
  ///
  /// - Parameter border: the border between two orientations.
  init(border: Border) {
    self.border = border
    evidence = Evidence(need: Self.need)
  }

  /// Starts again, without an opinion.
  mutating func start() {
    span = 0
    evidence.reset()
  }

  /// Adopts the gravity of a quick decision, or of a rest.
  mutating func adopt(_ gravity: Force) {
    mean = gravity
    span = Self.timeConstant
    evidence.reset()
  }

  /// Adds a block of samples.
  ///
  /// - Parameters:
  ///   - block: the block.
  ///   - present: the announced orientation; unknown if there is none yet.
  ///   - length: how long gravity is in the readings.
  /// - Returns: the direction of gravity if it contradicts the announced orientation for long enough, otherwise nil.
  mutating func add(_ block: BlockSums, present: OrientationAxis, length: GravityLength) -> Force? {
    mean += lowPassWeight(elapsed: block.seconds, timeConstant: span) * (block.mean - mean)
    span = smaller(span + block.seconds, Self.timeConstant)
    guard present.orientation != .unknown, length.isGravity(mean.length) else {
      evidence.reset()
      return nil
    }
    let own = present.component(of: mean)
    let rival = present.strongestRivalComponent(of: mean, own: own)
    let excess = border.excess(of: rival, over: own)
    // A long mean does not sway, so each excess is clear.
    guard evidence.add(excess: excess, clearFrom: 0, elapsed: block.seconds, doubt: 1) else { return nil }
    evidence.reset()
    return mean
  }
}
