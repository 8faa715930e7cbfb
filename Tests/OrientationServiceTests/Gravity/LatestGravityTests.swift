// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

@Suite("The gravity that clients may see")
struct LatestGravityTests {
  private func gravity(_ x: Double) -> Acceleration<ScreenFrame> { Acceleration(x: x, y: 2 * x, z: -x) }

  @Test("is due at most four times a second, however often that is asked")
  func renewals() {
    let snapshot = LatestGravity()
    var values: Set<Double> = []
    // 200 Hz for a second, from a time far from zero.
    for count in 0..<200 {
      let time = BootTime(nanoseconds: 7_000_000_000 + Int64(count) * 5_000_000)
      if snapshot.isDue(at: time) { snapshot.renew(gravity(Double(count)), at: time) }
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
    snapshot.renew(gravity(1), at: BootTime(nanoseconds: 1))
    snapshot.clear()
    #expect(snapshot.value == zero)
    let isDue = snapshot.isDue(at: BootTime(nanoseconds: 2))
    #expect(isDue)
    snapshot.renew(gravity(2), at: BootTime(nanoseconds: 2))
    #expect(snapshot.value == gravity(2))
  }
}
