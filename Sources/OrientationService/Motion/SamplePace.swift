// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The usual time between two samples of a sensor, whose times jitter.
struct SamplePace {
  /// A sample changes the mean by this part of the difference.
  ///
  /// So the mean of samples that are late for up to 60 ms at 200 Hz, and then come all at once, stays within the tenth that
  /// ``MotionStream`` tolerates; and a stream gets about 25 samples more than it wants after a sensor has become eight times faster.
  private static let share: Int64 = 32
  /// A longer time between two samples counts as so many times the mean: a gap changes little.
  private static let longestInPeriods: Int64 = 16
  /// Two samples that are further apart, in nanoseconds, are not counted.
  ///
  /// The sensor was closed meanwhile, or did not deliver.
  private static let longest: Int64 = 2_000_000_000

  /// The mean, in nanoseconds; 0 before the second sample.
  private(set) var period: Int64 = 0
  private var last: BootTime?

  /// Takes in the time of the next sample.
  mutating func add(_ time: BootTime) {
    defer { last = time }
    guard let last else { return }
    let passed = time.nanoseconds &- last.nanoseconds
    guard passed > 0, passed < Self.longest else { return }
    guard period > 0 else {
      period = passed
      return
    }
    period += (min(passed, Self.longestInPeriods * period) - period) / Self.share
  }
}
