// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

@Suite("The rate that streams want")
struct RateHoldTests {
  private let start = BootTime(nanoseconds: 1_000_000_000)

  @Test("rises at once, and falls two seconds later")
  func hold() {
    var hold = RateHold()
    #expect(hold.rate(wanted: 25, at: start) == 25)
    #expect(hold.rate(wanted: 200, at: start) == 200)
    #expect(hold.rate(wanted: 50, at: start) == 200)
    #expect(hold.end == start.advanced(bySeconds: 2))
    #expect(hold.rate(wanted: 50, at: start.advanced(bySeconds: 1.9)) == 200)
    #expect(hold.rate(wanted: 50, at: start.advanced(bySeconds: 2.0)) == 50)
    #expect(hold.end == nil)
  }

  @Test("stays high if a program changes its interval again and again")
  func alternating() {
    var hold = RateHold()
    for index in 0..<100 {
      let now = start.advanced(bySeconds: Double(index) * 0.1)
      #expect(hold.rate(wanted: index % 2 == 0 ? 200 : 25, at: now) == 200)
    }
  }

  @Test("ends two seconds after the last stream, and then is not held for the next one")
  func end() {
    var hold = RateHold()
    #expect(hold.rate(wanted: 200, at: start) == 200)
    #expect(hold.rate(wanted: nil, at: start) == 200)
    #expect(hold.rate(wanted: nil, at: start.advanced(bySeconds: 1.9)) == 200)
    #expect(hold.rate(wanted: nil, at: start.advanced(bySeconds: 2)) == nil)
    #expect(hold.end == nil)
    #expect(hold.rate(wanted: 25, at: start.advanced(bySeconds: 2)) == 25)
  }

  @Test("falls to each rate that was wanted meanwhile, two seconds after the last faster stream")
  func falls() {
    var hold = RateHold()
    func rate(wanted: Double?, after seconds: Double) -> Double? {
      hold.rate(wanted: wanted, at: start.advanced(bySeconds: seconds))
    }
    #expect(rate(wanted: 200, after: 0) == 200)
    #expect(rate(wanted: 50, after: 1) == 200)
    #expect(rate(wanted: nil, after: 2.5) == 200)
    #expect(hold.end == start.advanced(bySeconds: 3))
    #expect(rate(wanted: nil, after: 3) == 50)
    #expect(hold.end == start.advanced(bySeconds: 4.5))
    #expect(rate(wanted: nil, after: 4.5) == nil)
    #expect(hold.end == nil)
  }

  @Test(
    "is the next of a few steps, also for intervals in whole microseconds",
    arguments: [
      (0.1, 1), (24, 25), (26, 50), (60, 100), (1e6 / 16_667, 100), (1e6 / 5000, 200), (1e6 / 9999, 100),
    ] as [(Double, Double)])
  func steps(wanted: Double, step: Double) {
    var hold = RateHold()
    #expect(hold.rate(wanted: wanted, at: start) == step)
  }
}
