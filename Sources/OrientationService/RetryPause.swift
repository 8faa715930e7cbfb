// SPDX-License-Identifier: Apache-2.0

/// How long to wait before a sensor that failed is tried again: 1 s at first, then twice as long each time, up to 30 s.
struct RetryPause {
  /// The pause after the first failure, in seconds.
  static let shortest = 1.0
  private static let longest = 30.0

  private var seconds = RetryPause.shortest

  /// Returns this pause, in seconds, and makes the following one longer.
  mutating func next() -> Double {
    defer { seconds = min(seconds * 2, Self.longest) }
    return seconds
  }

  /// Starts again with the shortest pause.
  mutating func reset() {
    seconds = Self.shortest
  }
}
