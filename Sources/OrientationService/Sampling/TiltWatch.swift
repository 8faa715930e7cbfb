// SPDX-License-Identifier: Apache-2.0

// The tilt for iio-sensor-proxy's clients: looked at by the sampler when it renews the gravity that clients may see, and told
// where it has changed; while nobody watches, a glance at one byte is all it costs. The byte says whether somebody watches,
// and what was told last.

import Orientation
import Synchronization

/// Whether the main thread wants to hear of the tilt, and what it has heard.
struct TiltWatch: ~Copyable, Sendable {
  private static let off = UInt8.max

  private let told = Atomic<UInt8>(TiltWatch.off)

  /// Has the sampler tell the tilt at its next look, and then each change; or nothing.
  ///
  /// For the main thread only.
  func turn(on isOn: Bool) {
    told.store(isOn ? ProxyTilt.undefined.rawValue : Self.off, ordering: .relaxed)
  }

  /// What is to be told after a reading; nil where that is nothing.
  ///
  /// For the sampler only.
  @inline(never)
  func change(with gravity: Acceleration<ScreenFrame>) -> ProxyTilt? {
    let last = told.load(ordering: .relaxed)
    guard let tilt = ProxyTilt(rawValue: last) else { return nil }
    let next = tilt.next(with: gravity)
    // Where the main thread has turned the watch off or on meanwhile, the next look tells.
    guard next != tilt, exchange(last, for: next) else { return nil }
    return next
  }

  /// Whether somebody watches.
  var isOn: Bool { told.load(ordering: .relaxed) != Self.off }

  /// Forgets what was told, as the sampling has ended.
  ///
  /// For the sampler only.
  func forget() {
    let last = told.load(ordering: .relaxed)
    if last != Self.off { _ = exchange(last, for: .undefined) }
  }

  private func exchange(_ last: UInt8, for tilt: ProxyTilt) -> Bool {
    told.compareExchange(expected: last, desired: tilt.rawValue, ordering: .relaxed).exchanged
  }
}
