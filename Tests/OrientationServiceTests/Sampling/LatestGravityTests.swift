// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

@Suite("The gravity that clients may see")
struct LatestGravityTests {
  private func gravity(_ x: Double) -> Acceleration<ScreenFrame> { Acceleration(x: x, y: 2 * x, z: -x) }

  @Test("is renewed at most four times a second, however often it is offered")
  func renewals() {
    let snapshot = LatestGravity()
    var values: Set<Double> = []
    // 200 Hz for a second, from a time far from zero.
    for count in 0..<200 {
      snapshot.offer(
        gravity(Double(count)), at: BootTime(nanoseconds: 7_000_000_000 + Int64(count) * 5_000_000))
      values.insert(snapshot.value.x)
    }
    #expect(values == [0, 50, 100, 150])
    #expect(snapshot.value == gravity(150))
  }

  @Test("is zero before the first sample and once the sampling has ended, and begins anew at once")
  func clearing() {
    let snapshot = LatestGravity()
    let zero = Acceleration<ScreenFrame>(x: 0, y: 0, z: 0)
    #expect(snapshot.value == zero)
    snapshot.offer(gravity(1), at: BootTime(nanoseconds: 1))
    snapshot.clear()
    #expect(snapshot.value == zero)
    snapshot.offer(gravity(2), at: BootTime(nanoseconds: 2))
    #expect(snapshot.value == gravity(2))
  }
}
