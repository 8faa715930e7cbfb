// SPDX-License-Identifier: Apache-2.0

/// Measures the time between samples by the samples' own time stamps.
///
/// So neither jitter nor a lost sample affects the filters.
struct SampleClock {
  /// The longest gap between samples that does not restart the filters, in nanoseconds: 1 s, as in Android's
  /// WindowOrientationListener.
  private static let longestGap: UInt64 = 1_000_000_000

  /// The meaning of a sample's time stamp.
  enum Step {
    /// It is the first one, comes after a gap, or time went back: what happened in between is unknown.
    case started
    /// It has the time of the previous one, and contains nothing new.
    case repeated
    /// This many seconds have passed since the previous one.
    case elapsed(Float)
  }

  private var start = BootTime(nanoseconds: 0)
  // This is so long ago that the first sample comes after a gap.
  private var last = BootTime(nanoseconds: .min)

  /// The time since the clock last started, in seconds.
  var secondsSinceStart: Float { Float(last.seconds(since: start)) }

  /// Skips the time until `time`; the next sample's step counts from there.
  ///
  /// - Returns: how long that was, in seconds; nil if it has passed already, or there was no sample yet.
  mutating func skip(to time: BootTime) -> Float? {
    guard last.nanoseconds != .min, time > last else { return nil }
    defer { last = time }
    return Float(time.seconds(since: last))
  }

  /// Processes the time of the next sample.
  @inline(__always)
  mutating func advance(to time: BootTime) -> Step {
    // As an unsigned number, time that goes back is a long gap too.
    let elapsed = UInt64(bitPattern: time.nanoseconds &- last.nanoseconds)
    last = time
    guard elapsed <= Self.longestGap else {
      start = time
      return .started
    }
    return elapsed == 0 ? .repeated : .elapsed(Float(Int64(elapsed)) * 1e-9)
  }
}
