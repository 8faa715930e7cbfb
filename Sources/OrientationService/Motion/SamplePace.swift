// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The usual time between two samples of a sensor, whose times jitter.
struct SamplePace {
  /// A sample changes the mean by this part of the difference.
  ///
  /// The mean of a sensor at 200 Hz whose samples are late for up to 60 ms, and then come all at once, stays within the tenth that
  /// ``MotionStream`` tolerates. On the other hand, a stream gets 10 to 40 samples more than it wants, depending on its interval, after
  /// a sensor has become eight times faster.
  private static let share: Int64 = 32
  /// A longer time between two samples counts as so many times the mean, which raises that by half.
  private static let longestInPeriods: Int64 = 16
  /// The shortest mean, in nanoseconds; no sensor is as fast.
  ///
  /// A part of much less would be nothing in whole nanoseconds.
  private static let shortest: Int64 = 100_000
  /// Two samples that are further apart, in nanoseconds, are not counted.
  ///
  /// The sensor was closed meanwhile, or did not deliver.
  private static let longest: Int64 = 2_000_000_000

  /// The mean, in nanoseconds; 0 before the second sample.
  private(set) var period: Int64 = 0
  private var last: BootTime?
  /// The first two times between samples, the shorter one first; 0 if there were none yet.
  ///
  /// The mean starts with the median of the first three: some sensors report at once, and need time until they go on.
  private var first: (shorter: Int64, longer: Int64) = (0, 0)
  private var isStarted = false

  /// Takes in the time of the next sample.
  mutating func add(_ time: BootTime) {
    defer { last = time }
    guard let last else { return }
    let passed = time.nanoseconds &- last.nanoseconds
    guard passed > 0, passed < Self.longest else { return }
    let next =
      isStarted
      ? period + (min(passed, Self.longestInPeriods * period) - period) / Self.share : start(with: passed)
    period = max(next, Self.shortest)
  }

  /// The mean at the start.
  private mutating func start(with passed: Int64) -> Int64 {
    if first.shorter == 0 {
      first.shorter = passed
      return passed
    }
    if first.longer == 0 {
      first = (min(first.shorter, passed), max(first.shorter, passed))
      return first.shorter
    }
    isStarted = true
    return max(first.shorter, min(first.longer, passed))
  }

  /// Does not count the time to the next sample: there were others between them, which were dropped.
  mutating func skip() { last = nil }
}
