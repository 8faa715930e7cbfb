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

  /// The step that streams want; nil without streams.
  private var wanted: Int?
  /// For how long each step counts as wanted after the last stream that has wanted it.
  private var ends = [BootTime](repeating: BootTime(nanoseconds: .min), count: steps.count)
  /// When a lower rate than the present one may begin; nil if the present one is wanted.
  private(set) var end: BootTime?

  /// Takes in what streams want, and returns the rate that the sensor has to have; nil if it is not wanted.
  mutating func rate(wanted hertz: Double?, at now: BootTime) -> Double? {
    if let wanted { ends[wanted] = now.advanced(bySeconds: Self.seconds) }
    wanted = hertz.map { hertz in
      Self.steps.firstIndex { $0 >= hertz * Self.tolerance } ?? Self.steps.endIndex - 1
    }
    let held = ends.lastIndex { $0 > now }
    guard let held, held > wanted ?? -1 else {
      end = nil
      return wanted.map { Self.steps[$0] }
    }
    end = ends[held]
    return Self.steps[held]
  }
}
