// SPDX-License-Identifier: Apache-2.0

// Reports the direction of gravity to a part of the service that divides the directions in another way than the classifier:
// into regions, by its own rule. The sampler applies the rule when it renews the gravity for clients, at most four times a
// second, and reports when gravity has entered another region. While the watch is off, it reads one byte and reports
// nothing.

import Orientation
import Synchronization

/// One of the regions into which a ``GravityWatch`` divides gravity's directions; any number except 255.
package typealias GravityRegion = UInt8

/// The region of gravity, which the sampler reports when it changes.
final class GravityWatch: Sendable {
  /// The region for a gravity and the last reported region; the same one if gravity stays in it.
  typealias Rule =
    @Sendable (_ reported: GravityRegion, _ gravity: Acceleration<ScreenFrame>) -> GravityRegion

  private static let off = GravityRegion.max

  private let unknown: GravityRegion
  private let rule: Rule
  /// Whether the watch is on, and which region was reported last.
  private let reported = Atomic<GravityRegion>(GravityWatch.off)

  /// Creates a watch that is off.
  ///
  /// - Parameters:
  ///   - unknown: the region that means no gravity.
  ///   - rule: how directions are divided. It runs in the sampler, and must neither wait nor allocate.
  init(unknown: GravityRegion, rule: @escaping Rule) {
    precondition(unknown != Self.off)
    self.unknown = unknown
    self.rule = rule
  }

  /// Makes the sampler report the region when it next renews the gravity, and then each change; or nothing.
  ///
  /// For the main thread only.
  func turn(on isOn: Bool) {
    reported.store(isOn ? unknown : Self.off, ordering: .relaxed)
  }

  /// The region to report for a gravity; nil if there is nothing to report.
  ///
  /// For the sampler only.
  func change(with gravity: Acceleration<ScreenFrame>) -> GravityRegion? {
    let last = reported.load(ordering: .relaxed)
    guard last != Self.off else { return nil }
    let next = rule(last, gravity)
    // If the main thread has turned the watch off or on meanwhile, this is not reported; if on, the next gravity is.
    guard next != last, exchange(last, for: next) else { return nil }
    return next
  }

  /// Forgets the region, because the sampling has ended.
  ///
  /// For the sampler only.
  func forget() {
    let last = reported.load(ordering: .relaxed)
    if last != Self.off { _ = exchange(last, for: unknown) }
  }

  private func exchange(_ last: GravityRegion, for next: GravityRegion) -> Bool {
    reported.compareExchange(expected: last, desired: next, ordering: .relaxed).exchanged
  }
}
