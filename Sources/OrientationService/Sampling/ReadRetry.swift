// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// How long a sensor that has delivered may be unreadable before it counts as failed: one unreadable sample is no lost
/// sensor, and the tablet has hardly moved meanwhile.
///
/// A sensor that fails again soon after each success is broken too. So the time runs from the first failure until the sensor has
/// delivered for as long without another one.
struct ReadRetry {
  /// From the first failure on, how long the sensor is retried before it has failed, in seconds; and how long it must then deliver
  /// for its failures to be forgotten.
  static let limit = 2.0

  /// The first of the failures that are not forgotten yet.
  private var firstFailure: BootTime?
  /// Since when the sensor delivers; nil while it does not.
  private var start: BootTime?
  private var pause = RetryBackoff(from: 0.05, upTo: 0.4)

  /// Whether another read may succeed soon after this error.
  static func mayPass(_ error: SourceError) -> Bool {
    switch error {
    case .system, .malformed, .busy, .refusedBesideBuffer: true
    default: false
    }
  }

  /// Called when the sensor delivers.
  mutating func succeeded(at now: BootTime) {
    start = now
  }

  /// Called when the sensor could not be read; returns after how many seconds to retry, or nil if the sensor has failed.
  mutating func pause(afterFailureAt now: BootTime) -> Double? {
    if let start, now.seconds(since: start) >= Self.limit { self = ReadRetry() }
    // The sensor answered in between, so the next read may succeed as well.
    if start != nil { pause.reset() }
    start = nil
    let firstFailure = self.firstFailure ?? now
    self.firstFailure = firstFailure
    let left = Self.limit - now.seconds(since: firstFailure)
    return left > 0 ? min(pause.next(at: now), left) : nil
  }
}
