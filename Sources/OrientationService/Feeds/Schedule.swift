// SPDX-License-Identifier: Apache-2.0

import Orientation

/// When the next of something is due that comes at regular intervals, out of samples whose times jitter.
struct Schedule: BitwiseCopyable {
  /// The time from one to the next, in nanoseconds.
  private let interval: Int64
  /// Before the first one, the least time.
  private var due = BootTime(nanoseconds: .min)

  /// Creates a schedule of which the first one is due at once.
  init(every interval: Int64) { self.interval = interval }

  /// The same with another interval: the next one comes that long after the last one.
  func with(interval other: Int64) -> Schedule {
    var schedule = Schedule(every: other)
    if hasBegun { schedule.due.nanoseconds = due.nanoseconds &- interval &+ other }
    return schedule
  }

  /// Whether there was one.
  var hasBegun: Bool { due.nanoseconds != .min }

  /// The time until the next one is due, in nanoseconds; before the first one it wraps around, and is very long.
  @inline(__always)
  func left(at time: BootTime) -> Int64 { due.nanoseconds &- time.nanoseconds }

  /// Whether one is due, if it may be so many nanoseconds early; also if time has gone back.
  @inline(__always)
  func isDue(at time: BootTime, early: Int64) -> Bool {
    let left = left(at: time)
    return left <= early || left > 2 &* interval
  }

  /// Whether a time is in none of the intervals: it is the first, it comes after a gap, or time has gone back.
  @inline(__always)
  func isOutside(_ time: BootTime) -> Bool {
    let left = left(at: time)
    return left > 2 &* interval || left < 0 &- interval
  }

  /// Takes one at this time.
  ///
  /// The next one is due an interval after this one was due, or if that was long ago, after this time.
  @inline(__always)
  mutating func take(at time: BootTime) {
    let isInTime = left(at: time).magnitude < UInt64(interval)
    due.nanoseconds = (isInTime ? due : time).nanoseconds &+ interval
  }
}
