// SPDX-License-Identifier: Apache-2.0

// Where gravity points, for a part of the service that divides its directions in another way than the classifier: into regions,
// by a rule of its own. The sampler applies the rule when it renews the gravity that clients may see, at most four times a second,
// and reports when the gravity has entered another region. While the watch is off, it reads one byte and reports nothing.

import Orientation
import Synchronization

/// One of the regions that a ``GravityWatch`` divides gravity's directions into; any number but 255.
package typealias GravityRegion = UInt8

/// The region that gravity points to, reported by the sampler whenever it is another one.
final class GravityWatch: Sendable {
  /// The region that follows the one reported last; the same one if the gravity stays in it.
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
  ///   - unknown: the region that stands for no gravity.
  ///   - rule: what divides the directions. It runs in the sampler, and must neither wait nor allocate.
  init(unknown: GravityRegion, rule: @escaping Rule) {
    self.unknown = unknown
    self.rule = rule
  }

  /// Has the sampler report the region when it next renews the gravity, and then each change; or nothing.
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
    // If the main thread has turned the watch off or on meanwhile, the next gravity is reported.
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
