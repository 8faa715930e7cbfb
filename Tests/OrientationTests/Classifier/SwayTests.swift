// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

/// A hand that holds the tablet close to the border between two orientations.
@Suite("A border that has only just been crossed")
struct SwayTests {
  /// The changes of a tablet that was in portrait, is then held at `roll` degrees with a hand's tremor and sways by `sway`
  /// degrees.
  private func changes(
    roll: Double, sway: Double = 0, hertz: Double = 0.3, seconds: Double, rate: Double
  ) -> [OrientationChange] {
    var pipeline = OrientationPipeline(transform: .identity)
    var noise = SensorNoise(deviation: 0.01, seed: 67)
    let readings = (0..<Int((seconds + 2) * rate)).map { tick -> SIMD3<Double> in
      let now = Double(tick) / rate - 2
      let angle = now < 0 ? 0 : roll + sway * sin(2 * .pi * hertz * now)
      return held(elevation: 70, roll: angle) + noise.next()
    }
    return Array(pipeline.feed(readings, hertz: rate, from: -2).dropFirst())
  }

  @Test("is one after two to four seconds", arguments: rates)
  func unclear(rate: Double) throws {
    for roll in [54.0, 56, 57] {
      let found = changes(roll: roll, seconds: 6, rate: rate)
      #expect(found.map(\.orientation) == [.landscapeLeft], "\(roll) degrees")
      #expect(try (2...4).contains(#require(found.first).seconds), "\(roll) degrees")
    }
  }

  @Test("is none if the hand sways back", arguments: rates)
  func swaying(rate: Double) {
    for frequency in [0.15, 0.3, 0.6, 1] {
      let found = changes(roll: 48, sway: 9, hertz: frequency, seconds: 60, rate: rate)
      #expect(found.isEmpty, "\(frequency) Hz: \(found.count)")
    }
  }

  @Test("is one at once if it was crossed clearly", arguments: rates)
  func clear(rate: Double) throws {
    for roll in [66.0, 75, 90] {
      let found = changes(roll: roll, seconds: 2, rate: rate)
      #expect(found.map(\.orientation) == [.landscapeLeft], "\(roll) degrees")
      #expect(try #require(found.first).seconds < 0.4, "\(roll) degrees")
    }
  }
}
