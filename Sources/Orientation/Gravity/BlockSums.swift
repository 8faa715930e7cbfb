// SPDX-License-Identifier: Apache-2.0

/// The samples of half a second, summed up.
///
/// What need not be decided for each sample is decided twice a second from these sums, so that the hot loop only adds.
struct BlockSums {
  /// How long a block is, in seconds: a dozen samples at 25 Hz, and a third of the time that ``SecondOpinion`` averages over.
  private static let length: Float = 0.5

  /// How long the block is until now, in seconds.
  private(set) var seconds: Float = 0
  private var count: Float = 0
  private var sum = Force()
  private var squares = Force()
  private var products = Force()
  private var previous = Force()
  private var previousStep = Force()

  /// Starts again from a sample.
  mutating func start(at force: Force) {
    previous = force
    previousStep = Force()
    reset()
  }

  /// Starts a new block.
  mutating func reset() {
    seconds = 0
    count = 0
    sum = Force()
    squares = Force()
    products = Force()
  }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - force: the sample's force.
  ///   - elapsed: the time since the previous sample, in seconds.
  /// - Returns: whether the block is complete.
  @inline(__always)
  mutating func add(_ force: Force, elapsed: Float) -> Bool {
    let step = force - previous
    previous = force
    products += step * previousStep
    previousStep = step
    sum += force
    squares += force * force
    count += 1
    seconds += elapsed
    return seconds >= Self.length
  }

  /// The mean force.
  var mean: Force { sum / count }

  /// The mean time between samples, in seconds.
  var period: Float { seconds / count }

  /// The variance of the force about its mean, all axes together, in squares of standard gravity.
  var variance: Float { squares.total / count - mean.squaredLength }

  /// The variance of noise that differs from sample to sample, all axes together.
  ///
  /// A step up by such noise is followed by a step down: the mean product of two successive steps is minus its variance. A
  /// movement slower than a quarter of the rate goes on in the same direction, so it makes this smaller, even negative.
  var whiteVariance: Float { -products.total / count }
}
