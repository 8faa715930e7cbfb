// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

@Suite("A schedule")
struct ScheduleTests {
  private static let interval: Int64 = 40_000_000

  private func time(_ milliseconds: Double) -> BootTime {
    BootTime(nanoseconds: 1_000_000_000 + Int64(milliseconds * 1e6))
  }

  /// At which of the times, in milliseconds, one is taken that may be 2 ms early.
  private func taken(_ times: [Double]) -> [Double] {
    var schedule = Schedule(every: Self.interval)
    return times.filter { milliseconds in
      guard schedule.isDue(at: time(milliseconds), early: 2_000_000) else { return false }
      schedule.take(at: time(milliseconds))
      return true
    }
  }

  @Test("begins at once, and keeps to its times however those of the samples jitter")
  func regular() {
    let times = (0..<80).map { Double($0) * 5 + ($0.isMultiple(of: 3) ? 1 : -1) }
    #expect(taken(times) == [1, 39, 79, 121, 159, 199, 241, 279, 319, 361])
  }

  @Test("begins anew after a gap, and when time goes back")
  func gap() {
    #expect(taken([0, 20, 39, 200, 220, 239]) == [0, 39, 200, 239])
    #expect(taken([500, 100, 120, 140]) == [500, 100, 140])
  }

  @Test("knows times of none of its intervals: the first, after a gap, and time that goes back")
  func outside() {
    var schedule = Schedule(every: Self.interval)
    #expect(schedule.isOutside(time(0)))
    #expect(!schedule.hasBegun)
    schedule.take(at: time(0))
    #expect(schedule.hasBegun)
    for milliseconds in [1.0, 40, 79] { #expect(!schedule.isOutside(time(milliseconds))) }
    for milliseconds in [81.0, -41] { #expect(schedule.isOutside(time(milliseconds))) }
  }

  @Test("with another interval goes on from the last one")
  func otherInterval() {
    var schedule = Schedule(every: Self.interval)
    #expect(!schedule.with(interval: 1000).hasBegun)
    schedule.take(at: time(0))
    #expect(schedule.with(interval: 10_000_000).left(at: time(0)) == 10_000_000)
    #expect(schedule.with(interval: Self.interval).left(at: time(0)) == Self.interval)
  }
}
