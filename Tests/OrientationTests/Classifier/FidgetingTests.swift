// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// What a person gets who turns the tablet again and again, and looks at the screen in between.
@Suite("Turns that come quickly one after another")
struct FidgetingTests {
  /// How late each turn was announced, from its end, in seconds, the least first: 0 where it was on the way, infinite where
  /// it was not before the next one.
  private func delays(series: UInt64, hertz: Double) -> [Double] {
    (1...series).flatMap { seed in
      var fidgeting = Fidgeting(seed: seed, rests: 1...1.7)
      var pipeline = OrientationPipeline(transform: .identity)
      let changes = pipeline.feed(fidgeting.samples(hertz: hertz))
      let ends = fidgeting.turns.dropFirst().map(\.start) + [fidgeting.seconds]
      return zip(fidgeting.turns, ends).map { turn, end -> Double in
        guard let said = changes.last(where: { $0.seconds < end }), said.orientation == turn.pose else {
          return .infinity
        }
        return max(said.seconds - turn.end, 0)
      }
    }.sorted()
  }

  @Test(
    "after a second's rest each is announced within 0.6 s of its end, and 99 in 100 within 0.4",
    arguments: [25.0, 50, 100])
  func afterARest(hertz: Double) throws {
    // The last change before the next turn counts: a flip after the right one would be late, or wrong.
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
