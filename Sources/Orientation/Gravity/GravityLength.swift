// SPDX-License-Identifier: Apache-2.0

// Which way up a tablet is held is a matter of directions, but some of what decides it is compared with gravity: a reading that is shorter
// or longer is a fall or a knock, motion is much or little. Some drivers have a wrong scale, so that a tablet at rest reads a tenth of
// gravity, or twice; some chips have an axis that is off by half of it, or dead. So the length of gravity is learned when the readings are
// steady and nothing like it.
//
// A sensor that was steady at the right length once has the right scale: of such a one, only the lengths that an axis which is off causes are
// learned. Nobody falls steadily for a second, nor is whirled so. With a sensor that is right, nothing is ever learned.

/// How long gravity is in the readings of a sensor.
package struct GravityLength: Sendable, BitwiseCopyable {
  /// The lengths that gravity can have in readings at all, in units of standard gravity: a chip's noise and zero are shorter.
  package static let possible: ClosedRange<Float> = 0.01...60
  /// How much steady readings vary, as a fraction of their length: twice the noise of a chip with 50 mg on each axis.
  private static let variation: Float = 0.15
  /// How long gravity is in some attitudes if an axis is off by half of it.
  private static let lengthsWithOffset: ClosedRange<Float> = 0.4...1.7
  /// For how many half seconds readings must be steady once there is an orientation: a fall is over.
  private static let patience = 2

  /// What readings are multiplied by so that gravity is one.
  private(set) var scale: Float = 1
  /// The shortest and the longest length of gravity in a hand, as ``CheckedForce`` has it, relative to ``scale``.
  private(set) var shortest = CheckedForce.credible.lowerBound
  private(set) var longest = CheckedForce.credible.upperBound

  private var steadyBlocks = 0
  private let lacksAxis: Bool
  /// Whether readings were steady at the right length.
  private var isProven = false
  /// Whether ``scale`` was learned from readings that were clipped, and has to be learned once more.
  private(set) var isRough = false
  /// Whether ``scale`` was learned, and nobody has been told.
  private var isNews = false

  /// That of a sensor of which nothing has been learned.
  ///
  /// - Parameter lacksAxis: whether the sensor has no axis z: along it, gravity is not read, so of its length only one that is too long
  ///   shows anything about the scale.
  package init(lacksAxis: Bool = false) { (self.lacksAxis, isProven) = (lacksAxis, lacksAxis) }

  /// Whether a force of this length can be gravity in a hand.
  @inline(__always)
  func isCredible(_ magnitude: Float) -> Bool { magnitude >= shortest && magnitude <= longest }

  /// Whether the mean of a long time can be gravity, with half of that tolerance for motion.
  ///
  /// Below, the device has been tumbling; above, it has been whirled round, and the mean contains the centripetal force; or the
  /// sensor is saturated in one direction.
  func isGravity(_ mean: Float) -> Bool { mean >= shortest + 0.1 && mean <= longest - 0.3 }

  /// Learns from half a second of readings, which were multiplied by ``scale``.
  ///
  /// - Parameters:
  ///   - block: the readings.
  ///   - isFirst: whether there is no orientation yet.
  /// - Returns: whether ``scale`` is another one, so that what was known of earlier readings is void.
  @inline(never)
  mutating func learn(from block: BlockSums, isFirst: Bool) -> Bool {
    let length = block.mean.length
    // The usual case, in which nothing else need be computed.
    if isProven && isCredible(length) && !isRough {
      steadyBlocks = 0
      return false
    }
    let spread = Self.variation * length
    let isSteady = block.variance <= spread * spread && !block.mean.isRailed
    guard isSteady, Self.possible.contains(length / scale) else {
      steadyBlocks = 0
      return false
    }
    if isCredible(length) && !isRough {
      isProven = true
      steadyBlocks = 0
      return false
    }
    steadyBlocks += 1
    guard isFirst || isRough || steadyBlocks >= Self.patience else { return false }
    steadyBlocks = 0
    let before = scale
    // Without the axis z, readings of a tablet that lies flat are short.
    if isProven && !isRough { learnOffset(length) } else if !lacksAxis || length > 1 { learnScale(length) }
    return scale != before
  }

  private mutating func learnOffset(_ length: Float) {
    // Where the tablet lay when the scale was learned may have been the attitude that is off.
    let offsets = Self.lengthsWithOffset
    guard offsets.contains(length) || offsets.contains(length / scale) && offsets.contains(1 / scale) else {
      // No axis that is off reads so much; but the scale may have been learned while an axis that reads nothing had all of gravity.
      if length > 1, lacksAxis || scale != 1 { learnScale(length) }
      return
    }
    shortest = smaller(shortest, CheckedForce.credible.lowerBound * length)
    longest = larger(longest, CheckedForce.credible.upperBound * length)
  }

  private mutating func learnScale(_ length: Float) {
    scale /= length
    isRough = length > 0.99 * CheckedForce.longestInMean
    isNews = true
  }

  /// The scale, if it was learned since the last call.
  mutating func takeNews() -> Float? {
    guard isNews, !isRough else { return nil }
    isNews = false
    return scale
  }
}
