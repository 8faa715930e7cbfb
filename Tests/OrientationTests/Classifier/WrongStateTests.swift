// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

/// Movements that last, in which the quick decision is nearly blind.
@Suite("A wrong orientation does not last")
struct WrongStateTests {
  /// What a chip with 8 bits and a range of 2 g makes of a reading.
  private static func cheapChip(_ reading: SIMD3<Double>) -> SIMD3<Double> {
    (reading * 64).rounded(.toNearestOrEven).clamped(
      lowerBound: SIMD3(repeating: -128), upperBound: SIMD3(repeating: 127)) / 64
  }

  @Test(
    "a tablet that is turned while it is shaken, by up to 1 g, or 0.4 if it lies flat then, is right within 5 s",
    arguments: [0.5, 0.8, 1.3, 2, 3.1, 4, 5])
  func shaken(hertz frequency: Double) {
    var random = Noise(seed: 53)
    for rate in [10.0, 25, 100] {
      for start in axes {
        for end in axes where end.orientation != start.orientation {
          // A flat one that is pushed sideways by 0.4 g reads what a screen that rises by 22 degrees does.
          let isFlat = [.faceUp, .faceDown].contains(end.orientation)
          let push = random.direction() * random.uniform() * (isFlat ? 0.4 : 1)
          let phase = 2 * .pi * random.uniform()
          // Two seconds at rest; then it is shaken, and after three more seconds it is turned.
          let readings = (0..<Int(10 * rate)).map { tick -> SIMD3<Double> in
            let now = Double(tick) / rate
            let shake = now < 2 ? SIMD3() : push * sin(2 * .pi * frequency * now + phase)
            return (now < 5 ? start.axis : end.axis) + shake
          }
          var pipeline = OrientationPipeline(transform: .identity)
          let changes = pipeline.feed(readings, hertz: rate)
          #expect(
            changes.last?.orientation == end.orientation,
            "\(start.orientation) to \(end.orientation) with \(push) g at \(frequency) Hz, sampled at \(rate) Hz"
          )
        }
      }
    }
  }

  @Test("a running person's phone is right within 6 s of any wrong orientation", arguments: [10.0, 25, 100])
  func running(rate: Double) {
    var random = Noise(seed: 59)
    for pose in axes {
      for wrong in axes where wrong.orientation != pose.orientation {
        let run = Run(holding: pose.axis, random: &random)
        for isSaturated in [false, true] {
          var pipeline = OrientationPipeline(transform: .identity)
          func feed(_ seconds: Range<Int>) -> [OrientationChange] {
            let readings = (seconds.lowerBound * Int(rate)..<seconds.upperBound * Int(rate)).map { tick in
              let reading = run.reading(at: Double(tick) / rate)
              return isSaturated ? Self.cheapChip(reading) : reading
            }
            return pipeline.feed(readings, hertz: rate, from: Double(seconds.lowerBound))
          }
          _ = feed(0..<6)
          pipeline.assume(wrong.orientation)
          #expect(
            feed(6..<12).last?.orientation == pose.orientation,
            "\(wrong.orientation) instead of \(pose.orientation)\(isSaturated ? ", saturated at 2 g" : "")")
        }
      }
    }
  }

  @Test("what is right stays right while its owner runs", arguments: [10.0, 25, 100])
  func right(rate: Double) {
    var random = Noise(seed: 61)
    for pose in axes {
      let run = Run(holding: pose.axis, random: &random)
      let still = Array(repeating: pose.axis, count: Int(2 * rate))
      let moving = (0..<Int(60 * rate)).map { run.reading(at: Double($0) / rate) }
      var pipeline = OrientationPipeline(transform: .identity)
      #expect(pipeline.feed(still + moving, hertz: rate).map(\.orientation) == [pose.orientation])
    }
  }
}

/// A phone in the hand of a person who runs: at each step a push along gravity that lasts a third of it, and a swing of the arm
/// forth and back in two steps, in all up to about 3 g.
private struct Run {
  private let gravity: SIMD3<Double>
  private let arm: SIMD3<Double>
  private let steps: Double
  private let push: Double

  init(holding gravity: SIMD3<Double>, random: inout Noise) {
    self.gravity = gravity
    let any = random.direction()
    arm = (any - gravity * (any * gravity).sum()) * (0.5 + 0.7 * random.uniform())
    steps = 2.4 + 0.6 * random.uniform()
    push = 1 + random.uniform()
  }

  func reading(at seconds: Double) -> SIMD3<Double> {
    let phase = seconds * steps
    // For the rest of the step it reads less, so that the mean is gravity.
    let inStep = phase - phase.rounded(.down)
    let upwards = inStep < 1 / 3.0 ? push * sin(3 * .pi * inStep) : -push / .pi
    return gravity * (1 + upwards) + arm * sin(.pi * phase)
  }
}
