// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The rate that streams want of a sensor: it rises at once, and falls a little later.
///
/// Another rate means that the sensor is closed and opened again, during which no orientation is decided. So a program that changes its
/// interval, or stops and starts, again and again must not change the rate each time.
struct RateHold {
  /// How long a higher rate is kept, in seconds.
  static let seconds = 2.0
  /// The rates, in hertz, to which a wanted one is rounded up: within one of these steps, nothing changes.
  private static let steps = [1.0, 5, 10, 25, 50, 100, 200]
  /// The tolerance of an interval in whole microseconds, as a factor.
  private static let tolerance = 0.999

  private var rate: Double?
  private var lowerSince: BootTime?

  /// Whether a lower rate is wanted than the present one, or none.
  var isHolding: Bool { lowerSince != nil }

  /// Takes in what streams want, and returns the rate that the sensor has to have; nil if it is not wanted.
  mutating func rate(wanted: Double?, at now: BootTime) -> Double? {
    let wanted = wanted.map { wanted in Self.steps.first { $0 >= wanted * Self.tolerance } ?? wanted }
    if let rate, (wanted ?? 0) < rate {
      let since = lowerSince ?? now
      lowerSince = since
      if now.seconds(since: since) < Self.seconds { return rate }
    }
    (rate, lowerSince) = (wanted, nil)
    return wanted
  }
}
