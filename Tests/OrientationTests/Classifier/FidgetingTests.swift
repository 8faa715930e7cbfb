// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// What a person gets who turns the tablet again and again, and looks at the screen in between.
@Suite("Turns that come quickly one after another")
struct FidgetingTests {
  /// How late each turn of some series was announced, from its end, in seconds, the least first.
  private func delays(series: UInt64, hertz: Double) -> [Double] {
    (1...series).flatMap { seed in
      var fidgeting = Fidgeting(seed: seed, rests: 1...1.7)
      return fidgeting.delays(hertz: hertz)
    }.sorted()
  }

  @Test(
    "after a second's rest each is announced within 0.6 s of its end, and 99 in 100 within 0.4",
    arguments: [25.0, 50, 100])
  func afterARest(hertz: Double) throws {
    let delays = delays(series: hertz > 25 ? 60 : 240, hertz: hertz)
    #expect(try #require(delays.last) <= 0.6)
    #expect(delays[delays.count * 99 / 100] <= 0.4)
  }

  @Test("at the slowest rate too, but for one in 100 within 0.5 s, and none is lost")
  func afterARestSlowly() throws {
    let delays = delays(series: 240, hertz: 10)
    #expect(try #require(delays.last) < 1)
    #expect(delays[delays.count * 99 / 100] <= 0.5)
  }
}
