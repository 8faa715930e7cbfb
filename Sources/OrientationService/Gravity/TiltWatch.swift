// SPDX-License-Identifier: Apache-2.0

import Orientation
import Synchronization

/// Reports how far the screen leans.
///
/// The sampler looks when it renews the gravity for clients, at most four times a second, and reports each change. While the watch is
/// off, it reads one byte and reports nothing.
struct TiltWatch: ~Copyable, Sendable {
  /// No tilt has this number.
  private static let off = UInt8.max

  /// The tilt that was reported last, by its number; or that the watch is off.
  private let reported = Atomic<UInt8>(TiltWatch.off)

  /// Makes the sampler report the tilt when it next renews the gravity, and then each change; or nothing.
  ///
  /// For the main thread only.
  func turn(on isOn: Bool) {
    reported.store(isOn ? ScreenTilt.undefined.rawValue : Self.off, ordering: .relaxed)
  }

  /// The tilt to report for a gravity; nil if there is nothing to report.
  ///
  /// For the sampler only.
  func change(with gravity: Acceleration<ScreenFrame>) -> ScreenTilt? {
    guard let last = ScreenTilt(rawValue: reported.load(ordering: .relaxed)) else { return nil }
    let next = last.next(with: gravity)
    // If the main thread has turned the watch off or on meanwhile, this is not reported; if on, the next gravity is.
    guard next != last, exchange(last, for: next) else { return nil }
    return next
  }

  /// Forgets the tilt, because the sampling has ended.
  ///
  /// For the sampler only.
  func forget() {
    if let last = ScreenTilt(rawValue: reported.load(ordering: .relaxed)) {
      _ = exchange(last, for: .undefined)
    }
  }

  private func exchange(_ last: ScreenTilt, for next: ScreenTilt) -> Bool {
    reported.compareExchange(expected: last.rawValue, desired: next.rawValue, ordering: .relaxed).exchanged
  }
}
