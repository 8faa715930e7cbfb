// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The instants at which a polled sensor is read: a fixed rate on an absolute clock.
///
/// A tick that passes during a slow read is skipped: a burst of reads to make up for it would read the same
/// instant several times.
struct Ticker: BitwiseCopyable {
  /// Ticks per second.
  let rate: Double
  private let period: Int64
  /// It may also be set, independent of the rate.
  var nextTick: BootTime

  /// Starts at `start`, which is the first tick.
  init(rate: Double, start: BootTime) {
    self.rate = rate
    // At least a microsecond and at most a minute, so that no rate causes a busy loop or an endless sleep.
    period = rate > 0 ? Int64(min(max(1e9 / rate, 1e3), 60e9)) : 60_000_000_000
    nextTick = start
  }

  /// Starts again: the first tick is one period after `now`.
  mutating func start(after now: BootTime) {
    nextTick = BootTime(nanoseconds: now.nanoseconds &+ period)
  }

  /// The time between two ticks, in seconds.
  var seconds: Double { Double(period) * 1e-9 }

  /// Moves to the first tick after `now`.
  mutating func advance(now: BootTime) {
    nextTick.nanoseconds &+= period
    let late = now.nanoseconds &- nextTick.nanoseconds
    guard late >= 0 else { return }
    nextTick.nanoseconds &+= (late / period &+ 1) &* period
  }
}
