// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The usual time between two samples of a sensor, whose times jitter.
struct SamplePace {
  /// A sample changes the mean by this part of the difference.
  private static let share: Int64 = 16
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
    // A sensor that has become faster is noticed after a few samples; a gap changes little.
    let share = passed < period / 2 ? 2 : Self.share
    period += (min(passed, 2 * period) - period) / share
  }
}
