// SPDX-License-Identifier: Apache-2.0

import Orientation

/// How far the motion events of a chip are trusted.
///
/// A driver accepts events also if the chip's interrupt never arrives. So the sensor is read from time to time while it reports
/// nothing, and less often if an event has come before.
package struct EventTrust: Equatable, Sendable {
  /// How long to wait for an event before the sensor is read, if none has come yet, in seconds: in the first minutes of a rest,
  /// and after them.
  private static let (shortUntried, longUntried) = (1.5, 3.0)
  /// The same if one has come before: a turn too slow for an event must not take longer while the device is in use.
  private static let (shortTried, longTried) = (5.0, 30.0)
  /// How long the first minutes are, in seconds.
  private static let shortRest = 120.0
  /// After so many turns in a row without an event, the chip's events do not work.
  private static let allowedMisses = 3
  /// How fast a chip may be turned without an event, m/s^2 on an axis in a second: kxcjk-1013 compares readings that are 0.16 s
  /// apart with 62.5 mg.
  private static let unreportedChange = 0.4 * standardGravity

  private var hasReported = false
  private var misses = 0
  /// Whether the events were found not to work, and that has not been reported yet.
  private var isLossUnreported = false

  /// Creates the trust in a chip that has not been used yet.
  package init() {}

  /// Whether the chip's events do not work.
  var isLost: Bool { misses >= Self.allowedMisses }

  /// How long to wait for an event before the sensor is read, in seconds, when the rest has lasted for so many.
  func pause(afterResting seconds: Double) -> Double {
    if seconds < Self.shortRest { return hasReported ? Self.shortTried : Self.shortUntried }
    return hasReported ? Self.longTried : Self.longUntried
  }

  /// Records that an event ended a rest.
  mutating func eventCame() {
    hasReported = true
    misses = 0
  }

  /// Records that the sensor was found off its rest without an event, when it had not been read for so many seconds.
  mutating func nothingCame(
    for reading: Acceleration<SensorFrame>, leaving rest: Rest, afterWaiting pause: Double
  ) {
    // The next rest is read more often, whatever the reason is.
    hasReported = false
    let slowest = Rest(at: rest.acceleration, tolerance: Self.unreportedChange * pause)
    if !slowest.holds(reading) { misses += 1 }
    isLossUnreported = isLossUnreported || isLost
  }

  /// Whether the chip's events were found not to work since the last call.
  mutating func takeLoss() -> Bool {
    defer { isLossUnreported = false }
    return isLossUnreported
  }
}
