// SPDX-License-Identifier: Apache-2.0

/// Two low-pass filters of the force: a quick one for the direction of gravity, and a slow one to detect motion.
///
/// The gain of both at rest is one.
struct GravityFilter {
  /// The slow filter's time constant, in seconds.
  ///
  /// It is less than half the time of a quick turn by hand, so the two filters differ while the turn lasts, by 0.09 s of
  /// it, and are equal again soon after.
  ///
  /// Measured: with 0.15 s, half of the turns are answered 0.06 s later; with 0.1 s, one change in twenty more is unwanted.
  static let slowTimeConstant: Float = 0.115

  /// The direction and length of gravity now.
  private(set) var quick = Force()
  /// The same, with a longer delay.
  private(set) var slow = Force()

  private let quickTimeConstant: Float

  /// Creates a filter.
  ///
  /// - Parameter timeConstant: the quick filter's, in seconds.
  init(timeConstant: Float) {
    quickTimeConstant = timeConstant
  }

  /// How fast the device turns or shakes: the difference of the two filters.
  @inline(__always)
  var motion: Force { quick - slow }

  /// Starts again from a sample.
  mutating func start(at force: Force) {
    quick = force
    slow = force
  }

  /// Updates the filters with a sample.
  ///
  /// - Parameters:
  ///   - force: the sample's force.
  ///   - elapsed: the time since the previous sample, in seconds.
  ///   - span: before the first report, the time since the first sample, in seconds: the quick filter becomes the mean of all samples.
  /// - Returns: how much the sample moved ``slow``.
  @inline(__always)
  mutating func update(with force: Force, elapsed: Float, averagingOver span: Float? = nil) -> Force {
    let quickTime = span.map { larger($0, quickTimeConstant) } ?? quickTimeConstant
    quick += lowPassWeight(elapsed: elapsed, timeConstant: quickTime) * (force - quick)
    let move = lowPassWeight(elapsed: elapsed, timeConstant: Self.slowTimeConstant) * (force - slow)
    slow += move
    return move
  }

  /// The variance of ``motion`` that noise of variance one causes, if it differs from sample to sample.
  ///
  /// A first-order low-pass with weight w lets w / (2 - w) of the variance pass; two such share w1 w2 / (w1 + w2 - w1 w2).
  ///
  /// - Parameter period: the time between samples, in seconds.
  /// - Returns: the variance.
  func motionGain(period: Float) -> Float {
    let quick = lowPassWeight(elapsed: period, timeConstant: quickTimeConstant)
    let slow = lowPassWeight(elapsed: period, timeConstant: Self.slowTimeConstant)
    let shared = quick * slow / (quick + slow - quick * slow)
    return quick / (2 - quick) + slow / (2 - slow) - 2 * shared
  }

  /// The mean square of the move of ``slow`` with each sample that such noise causes.
  ///
  /// - Parameter period: the time between samples, in seconds.
  /// - Returns: the mean square.
  func moveGain(period: Float) -> Float {
    let slow = lowPassWeight(elapsed: period, timeConstant: Self.slowTimeConstant)
    return 2 * slow * slow / (2 - slow)
  }
}
