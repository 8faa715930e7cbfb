// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@Suite("A hand that holds the tablet close to the border between two orientations")
struct SwayTests {
  /// The changes of a tablet that was in portrait, is then held at `roll` degrees with a hand's tremor and sways by `sway`
  /// degrees.
  private func changes(
    roll: Double, sway: Double = 0, hertz: Double = 0.3, seconds: Double, rate: Double, noise: Double = 0.01
  ) -> [OrientationChange] {
    var pipeline = OrientationPipeline(transform: .identity)
    var sensor = SensorNoise(deviation: noise, seed: 67)
    let readings = (0..<Int((seconds + 2) * rate)).map { tick -> SIMD3<Double> in
      let now = Double(tick) / rate - 2
      let angle = now < 0 ? 0 : roll + sway * sin(2 * .pi * hertz * now)
      return held(elevation: 70, roll: angle) + sensor.next()
    }
    return Array(pipeline.feed(readings, hertz: rate, from: -2).dropFirst())
  }

  @Test("and has only just crossed it, is followed after two to four seconds", arguments: rates)
  func unclear(rate: Double) throws {
    for roll in [54.0, 56, 57] {
      let found = changes(roll: roll, seconds: 6, rate: rate)
      #expect(found.map(\.orientation) == [.landscapeLeft], "\(roll) degrees")
      #expect(try (2...4).contains(#require(found.first).seconds), "\(roll) degrees")
    }
  }

  @Test(
    "and has only just crossed it, is followed within 30 s even if the sensor has 50 mg of noise",
    arguments: rates)
  func noisy(rate: Double) throws {
    for roll in [54.0, 55, 57] {
      let found = changes(roll: roll, seconds: 30, rate: rate, noise: 0.05)
      #expect(found.map(\.orientation) == [.landscapeLeft], "\(roll) degrees")
    }
  }

  @Test("and sways across it and back within 3 s, changes nothing", arguments: rates)
  func swaying(rate: Double) {
    for frequency in [0.15, 0.3, 0.6, 1] {
      let found = changes(roll: 48, sway: 9, hertz: frequency, seconds: 60, rate: rate)
      #expect(found.isEmpty, "\(frequency) Hz: \(found.count)")
    }
  }

  @Test(
    "with the widest band too, a turn by 90 degrees is followed at once", arguments: [7.0, 20, 30, 36, 40])
  func wide(hysteresis: Double) throws {
    var settings = PipelineSettings()
    settings.hysteresis = Angle(degrees: hysteresis)
    for elevation in [70.0, 90] {
      var pipeline = OrientationPipeline(transform: .identity, settings: settings)
      let readings = (0..<100).map { held(elevation: elevation, roll: $0 < 50 ? 0 : 90) }
      let found = pipeline.feed(readings).dropFirst()
      #expect(found.map(\.orientation) == [.landscapeLeft])
      #expect(try #require(found.first).seconds < 3, "at \(elevation) degrees of elevation")
    }
  }

  // It is turned in no time, which is more motion than any hand's, and delays the decision by that of a hand's turn.
  @Test("and crosses it clearly, is followed at once", arguments: rates)
  func clear(rate: Double) throws {
    for roll in [66.0, 75, 90] {
      let found = changes(roll: roll, seconds: 2, rate: rate)
      #expect(found.map(\.orientation) == [.landscapeLeft], "\(roll) degrees")
      #expect(try #require(found.first).seconds < 0.45, "\(roll) degrees")
    }
  }
}
