// SPDX-License-Identifier: Apache-2.0

// A cheap chip hisses: its samples differ by 50 mg and more from one to the next though nothing moves. To the rest of the
// classifier this looks like a hand that never holds still: the path of gravity grows, and is never forgotten. So the noise is
// learned. It is taken off the path (`Handling`), and a device is still in spite of it (`Doubt`). Neither is so in motion that
// lasts, as the noise would hide a part of that; a turn is over sooner.
//
// At 25 Hz, a tremor or a vibration above 7 Hz cannot be distinguished from noise, and counts as such.

/// How much a sensor's samples differ though the device is still.
///
/// It is learned only from half seconds that contain nothing else than such noise. It is learned slowly and forgotten
/// quickly, because a movement that is taken for noise does more harm than noise that is taken for a movement.
struct NoiseFloor {
  /// The largest noise that is learned, all axes together: 0.12 g on each.
  ///
  /// What differs more is moving.
  private static let largestVariance: Float = 3 * 0.12 * 0.12

  /// How many times the noise's variance the variance of the half second may be.
  ///
  /// A dozen samples, as at 25 Hz, show the ratio of the two within a third.
  private static let largestRatio: Float = 1.7

  /// The longest time between samples, in seconds: at lower rates, a swing of the arm looks like noise.
  private static let longestPeriod: Float = 0.06

  /// How long the noise is averaged when it seems to grow, in seconds; less in the beginning, when nothing is known.
  private static let risingTime: Float = 4
  /// The same in the beginning, and when it seems to shrink.
  private static let fallingTime: Float = 1

  /// What the noise causes varies from sample to sample; in nine of ten it is below twice its mean.
  private static let spread: Float = 2

  /// How much of the noise is across gravity: that of two of three axes.
  private static let shareAcross: Float = 2 / 3

  /// How long a motion lasts in which noise no longer counts, in seconds.
  private static let longestTurn: Float = 1

  /// The unrest that the noise rarely exceeds, as a mean square in squares of standard gravity; see ``Doubt``.
  private(set) var unrest: Float = 0
  /// The square of a move of the slow filter across gravity that the noise rarely exceeds.
  private(set) var squaredMove: Float = 0

  /// The variance of the noise, all axes together, in squares of standard gravity.
  private(set) var variance: Float = 0
  private var learnedSeconds: Float = 0
  /// How long there has been more than noise, in seconds.
  private var movingSeconds: Float = 0

  /// Learns from half a second of samples.
  ///
  /// - Parameters:
  ///   - block: the samples.
  ///   - filter: the filter, which the noise passes.
  mutating func learn(from block: BlockSums, through filter: GravityFilter) {
    let all = block.variance
    let found = block.period > Self.longestPeriod ? 0 : larger(smaller(block.whiteVariance, all), 0)
    let isOnlyNoise = all <= Self.largestVariance && all <= Self.largestRatio * found
    if isOnlyNoise || found < variance { average(found, seconds: block.seconds) }
    movingSeconds = isOnlyNoise ? 0 : movingSeconds + block.seconds
    let largest = movingSeconds <= Self.longestTurn + block.seconds / 2 ? Self.spread * variance : 0
    unrest = largest * filter.motionGain(period: block.period)
    squaredMove = Self.shareAcross * largest * filter.moveGain(period: block.period)
  }

  private mutating func average(_ found: Float, seconds: Float) {
    let time =
      found < variance ? Self.fallingTime : larger(smaller(learnedSeconds, Self.risingTime), Self.fallingTime)
    variance += lowPassWeight(elapsed: seconds, timeConstant: time) * (found - variance)
    learnedSeconds += seconds
  }
}
