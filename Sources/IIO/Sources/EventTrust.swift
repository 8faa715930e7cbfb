// SPDX-License-Identifier: Apache-2.0

import Orientation

/// How far the motion events of a chip are trusted.
///
/// A driver accepts events also if the chip has no interrupt, or if the firmware describes a wrong one. So the sensor is
/// read from time to time while it is silent, and less often if an event has come before.
struct EventTrust: Equatable {
  /// How long to wait for an event before the sensor is read, if one has come before, in seconds.
  private static let longest = 30.0
  /// The same if none has come yet, in seconds: in the first minute of a rest, and after it.
  private static let (short, long) = (1.5, 3.0)
  /// When the longer of these begins, in seconds.
  private static let shortRest = 60.0
  /// After so many turns in a row without an event, the chip's events do not work.
  private static let allowedMisses = 3
  /// A change without an event proves nothing below this, m/s^2 on an axis: chips compare two readings that are 0.1 s and more
  /// apart with a threshold of up to 0.06 g, so a slow movement causes no event.
  private static let noticeable = 0.2 * standardGravity

  private var hasReported = false
  private var misses = 0

  /// Whether the chip's events do not work.
  var isLost: Bool { misses >= Self.allowedMisses }

  /// How long to wait for an event before the sensor is read, in seconds.
  ///
  /// - Parameter seconds: how long the rest has lasted.
  /// - Returns: the pause.
  func pause(afterResting seconds: Double) -> Double {
    if hasReported { return Self.longest }
    return seconds < Self.shortRest ? Self.short : Self.long
  }

  /// Records that an event ended a rest.
  mutating func eventCame() {
    hasReported = true
    misses = 0
  }

  /// Records that the sensor was found off its rest without an event.
  mutating func nothingCame(for reading: Acceleration<SensorFrame>, leaving rest: Rest) {
    // Whatever the chip does, the next rest is read more often.
    hasReported = false
    if !Rest(at: rest.acceleration, tolerance: Self.noticeable).holds(reading) { misses += 1 }
  }
}
