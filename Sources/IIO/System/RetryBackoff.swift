// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// How long to wait before a failed action is retried: short at first, then twice as long each time, up to a longest pause.
///
/// After a success that lasted, the pause is short again. What fails soon after each start is retried as seldom as what
/// never starts.
package struct RetryBackoff: Sendable {
  /// The pause after the first failure, in seconds.
  package let shortest: Double
  /// The longest pause, in seconds, and how long a success must last to count.
  private let longest: Double

  private var seconds: Double
  private var start: BootTime?

  /// Creates pauses in seconds; the defaults are those for a sensor that fails.
  package init(from shortest: Double = 1, upTo longest: Double = 30) {
    self.shortest = shortest
    self.longest = longest
    seconds = shortest
  }

  /// Records that the sensor delivers.
  package mutating func succeeded(at now: BootTime) {
    start = now
  }

  /// Returns the present pause, in seconds, and makes the next one longer.
  package mutating func next(at now: BootTime) -> Double {
    if let start, now.seconds(since: start) >= longest { reset() }
    start = nil
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }

  /// Returns to the shortest pause.
  package mutating func reset() {
    seconds = shortest
    start = nil
  }
}
