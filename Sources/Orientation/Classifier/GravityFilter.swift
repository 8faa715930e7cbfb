// SPDX-License-Identifier: Apache-2.0

/// Two low-pass filters of the force: a quick one that says where gravity is, and a slow one to tell motion by.
///
/// The gain of both at rest is one.
struct GravityFilter {
  /// The slow filter's time constant, in seconds: less than half of what a hand takes for a quick turn, so that the two
  /// filters differ by the turn while it lasts, by 0.09 s of it, and agree again soon after.
  ///
  /// Measured: 0.15 s makes the answer to a sudden turn 0.08 s later (0.38 s at 25 Hz), 0.09 s makes one change in ten
  /// more than there should be.
  static let slowTimeConstant: Float = 0.12

  /// Where gravity is.
  private(set) var quick = Force()
  /// Where it was of late.
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

  /// Starts anew from a sample.
  mutating func start(at force: Force) {
    quick = force
    slow = force
  }

  /// Takes in a sample.
  ///
  /// - Parameters:
  ///   - force: what it read.
  ///   - elapsed: the time since the last one, in seconds.
  /// - Returns: what the sample moved ``slow`` by.
  @inline(__always)
  mutating func update(with force: Force, elapsed: Float) -> Force {
    update(with: force, elapsed: elapsed, timeConstant: quickTimeConstant)
  }

  /// Takes in a sample while nothing was reported yet: the quick filter becomes the mean of all samples.
  ///
  /// - Parameters:
  ///   - force: what it read.
  ///   - elapsed: the time since the last one, in seconds.
  ///   - span: the time since the first one, in seconds.
  /// - Returns: what the sample moved ``slow`` by.
  mutating func average(with force: Force, elapsed: Float, span: Float) -> Force {
    update(with: force, elapsed: elapsed, timeConstant: larger(span, quickTimeConstant))
  }

  @inline(__always)
  private mutating func update(with force: Force, elapsed: Float, timeConstant: Float) -> Force {
    quick += lowPassWeight(elapsed: elapsed, timeConstant: timeConstant) * (force - quick)
    let move = lowPassWeight(elapsed: elapsed, timeConstant: Self.slowTimeConstant) * (force - slow)
    slow += move
    return move
  }
}
