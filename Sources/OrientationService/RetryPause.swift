// SPDX-License-Identifier: Apache-2.0

import Orientation

/// How long to wait before a sensor that failed is tried again: 1 s at first, then twice as long each time, up to 30 s.
///
/// It is short again after a success that lasted. One that fails soon after each start is tried as seldom as one that
/// never starts.
struct RetryPause {
  /// The pause after the first failure, in seconds.
  static let shortest = 1.0
  private static let longest = 30.0

  private var seconds = RetryPause.shortest
  private var start: BootTime?

  /// Takes in that the sensor delivers.
  mutating func succeeded(at now: BootTime) {
    start = now
  }

  /// Returns this pause, in seconds, and makes the following one longer.
  mutating func next(at now: BootTime) -> Double {
    if let start, now.seconds(since: start) >= Self.longest { reset() }
    start = nil
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }

  /// Starts again with the shortest pause.
  mutating func reset() {
    seconds = Self.shortest
    start = nil
  }
}
