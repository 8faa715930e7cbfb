// SPDX-License-Identifier: Apache-2.0

/// Measures the time from sample to sample by the samples' own time stamps.
///
/// So neither jitter nor a lost sample changes what the filters do.
struct SampleClock {
  /// The longest gap between samples that is bridged, in nanoseconds: 1 s, as in Android's WindowOrientationListener.
  private static let longestGap: UInt64 = 1_000_000_000

  /// What a sample's time stamp says.
  enum Step {
    /// It is the first one, comes after a gap, or time went back: nothing is known of what happened in between.
    case started
    /// It bears the time of the last one, and tells nothing new.
    case repeated
    /// So many seconds passed since the last one.
    case elapsed(Float)
  }

  private var start = BootTime(nanoseconds: 0)
  // So long ago that the first sample comes after a gap.
  private var last = BootTime(nanoseconds: .min)

  /// The time since the clock last started, in seconds.
  var secondsSinceStart: Float { Float(last.seconds(since: start)) }

  /// Passes over the time until `time`; the next sample's step counts from there.
  ///
  /// - Returns: how long that was, in seconds; nil where it has passed already, or no sample has come yet.
  mutating func skip(to time: BootTime) -> Float? {
    guard last.nanoseconds != .min, time > last else { return nil }
    defer { last = time }
    return Float(time.seconds(since: last))
  }

  /// Takes in the time of the next sample.
  @inline(__always)
  mutating func advance(to time: BootTime) -> Step {
    // As an unsigned number, time that goes back is a long gap as well.
    let elapsed = UInt64(bitPattern: time.nanoseconds &- last.nanoseconds)
    last = time
    guard elapsed <= Self.longestGap else {
      start = time
      return .started
    }
    return elapsed == 0 ? .repeated : .elapsed(Float(Int64(elapsed)) * 1e-9)
  }
}
