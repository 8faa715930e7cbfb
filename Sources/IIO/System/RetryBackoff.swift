// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// How long to wait before what failed is tried again: short at first, then twice as long each time, up to a longest pause.
///
/// It is short again after a success that lasted. One that fails soon after each start is tried as seldom as one that
/// never starts.
package struct RetryBackoff {
  /// The pause after the first failure, in seconds.
  package let shortest: Double
  /// The longest, in seconds, and how long a success has to last.
  private let longest: Double

  private var seconds: Double
  private var start: BootTime?

  /// Creates a pause: those of a sensor that fails, unless others are given, in seconds.
  package init(from shortest: Double = 1, upTo longest: Double = 30) {
    self.shortest = shortest
    self.longest = longest
    seconds = shortest
  }

  /// Takes in that the sensor delivers.
  package mutating func succeeded(at now: BootTime) {
    start = now
  }

  /// Returns this pause, in seconds, and makes the following one longer.
  package mutating func next(at now: BootTime) -> Double {
    if let start, now.seconds(since: start) >= longest { reset() }
    start = nil
    defer { seconds = min(seconds * 2, longest) }
    return seconds
  }

  /// Starts again with the shortest pause.
  package mutating func reset() {
    seconds = shortest
    start = nil
  }
}
