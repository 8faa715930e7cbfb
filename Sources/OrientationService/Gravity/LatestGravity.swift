// SPDX-License-Identifier: Apache-2.0

// The filtered gravity for `MeasureGravity` and the hinge: written by the sampler, read by other threads, without a lock.
//
// It is renewed at most four times a second, so that no client can use it as a motion side channel: speech, keystrokes and
// gait need tens of samples a second.

import Orientation
import Synchronization

/// The latest gravity that clients may see.
struct LatestGravity: ~Copyable, Sendable {
  /// The least time between two renewals, in nanoseconds: at most four a second.
  private static let renewalPause: UInt64 = 250_000_000

  // A seqlock: the count is odd while the sampler writes, and a reader that finds an odd or a changed count reads again.
  private let count = Atomic<Int>(0)
  private let x = Atomic<UInt64>(0)
  private let y = Atomic<UInt64>(0)
  private let z = Atomic<UInt64>(0)
  private let renewed = Atomic<Int64>(.min)

  /// Whether the last value is old enough for a new one; for the sampler only.
  func isDue(at time: BootTime) -> Bool {
    // As an unsigned number, time that goes back is long too.
    UInt64(bitPattern: time.nanoseconds &- renewed.load(ordering: .relaxed)) >= Self.renewalPause
  }

  /// Stores a new value; for the sampler only.
  func renew(_ gravity: Acceleration<ScreenFrame>, at time: BootTime) {
    renewed.store(time.nanoseconds, ordering: .relaxed)
    write(gravity)
  }

  /// Clears the value; for the sampler only.
  func clear() {
    renewed.store(.min, ordering: .relaxed)
    write(Acceleration(x: 0, y: 0, z: 0))
  }

  /// The latest value, m/s^2, rounded to its precision; zero if there is none.
  var value: Acceleration<ScreenFrame> {
    while true {
      let before = count.load(ordering: .sequentiallyConsistent)
      let value = Acceleration<ScreenFrame>(
        x: Double(bitPattern: x.load(ordering: .sequentiallyConsistent)),
        y: Double(bitPattern: y.load(ordering: .sequentiallyConsistent)),
        z: Double(bitPattern: z.load(ordering: .sequentiallyConsistent)))
      if before.isMultiple(of: 2), before == count.load(ordering: .sequentiallyConsistent) {
        return value.rounded
      }
    }
  }

  // All operations are sequentially consistent: with four writes a second, weaker ones save nothing.
  private func write(_ gravity: Acceleration<ScreenFrame>) {
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    x.store(gravity.x.bitPattern, ordering: .sequentiallyConsistent)
    y.store(gravity.y.bitPattern, ordering: .sequentiallyConsistent)
    z.store(gravity.z.bitPattern, ordering: .sequentiallyConsistent)
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }
}
