// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@Suite("How a movement is sampled does not change what is made of it")
struct SamplingTests {
  /// A minute of being handled: held a while, then turned to another pose within 0.3 to 1.2 s.
  private let movement = Movement(seed: 41, turns: 30)

  /// How far apart in time two samplings may report the same change: two samples of the slower one, in which the turn
  /// goes on, and what the filters differ by.
  private func tolerance(_ rate: Double) -> Double { 2 / rate + 0.05 }

  private func expectSame(
    _ found: [OrientationChange], as expected: [OrientationChange], within tolerance: Double
  ) {
    #expect(found.map(\.orientation) == expected.map(\.orientation))
    for (one, other) in zip(found, expected) {
      #expect(one.seconds.isClose(to: other.seconds, within: tolerance), "\(one) instead of \(other)")
    }
  }

  private var expected: [OrientationChange] {
    var pipeline = OrientationPipeline(transform: .identity)
    return pipeline.feed(movement.samples(hertz: 200))
  }

  @Test("the same states come at any rate from 10 to 200 Hz", arguments: [10.0, 12.5, 25, 31.25, 50, 100])
  func rate(rate: Double) {
    #expect(expected.count == 31)
    var pipeline = OrientationPipeline(transform: .identity)
    expectSame(pipeline.feed(movement.samples(hertz: rate)), as: expected, within: tolerance(rate))
  }

  @Test("the same states come with time stamps that jitter by 40 %", arguments: rates)
  func jitter(rate: Double) {
    var random = Noise(seed: 43)
    var pipeline = OrientationPipeline(transform: .identity)
    let count = Int(movement.seconds * rate)
    let samples = (0..<count).map { tick in
      movement.sample(at: (Double(tick) + 0.8 * random.uniform()) / rate)
    }
    expectSame(pipeline.feed(samples), as: expected, within: tolerance(rate))
  }

  @Test("the same states come when every third sample is lost, at random", arguments: [25.0, 50, 100, 200])
  func lost(rate: Double) {
    var random = Noise(seed: 47)
    var pipeline = OrientationPipeline(transform: .identity)
    let samples = movement.samples(hertz: rate).filter { _ in random.uniform() > 1.0 / 3 }
    expectSame(pipeline.feed(samples), as: expected, within: tolerance(rate / 2))
  }
}
