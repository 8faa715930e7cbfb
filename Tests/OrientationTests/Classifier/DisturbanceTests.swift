// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@Suite("What tells nothing of gravity keeps the last state")
struct DisturbanceTests {
  /// The changes of a tablet held in portrait, rolled a bit, in 4 s of which `disturbance` replaces a part from the second on.
  ///
  /// The disturbance is what the sensor reads instead, by the seconds since it began and the resting reading; nil once it
  /// is over.
  private func changes(
    rate: Double, roll: Double, seed: UInt64, _ disturbance: (Double, SIMD3<Double>) -> SIMD3<Double>?
  ) -> [OrientationChange] {
    var pipeline = OrientationPipeline(transform: .identity)
    var noise = SensorNoise(deviation: 0.02, seed: seed)
    let rest = held(elevation: 90, roll: roll)
    let readings = (0..<Int(4 * rate)).map { tick in
      let seconds = Double(tick) / rate - 1
      let reading = seconds >= 0 ? disturbance(seconds, rest) ?? rest : rest
      return reading + noise.next()
    }
    return Array(pipeline.feed(readings, hertz: rate).dropFirst())
  }

  @Test("a fall of up to a second, with up to half of gravity left in any direction", arguments: rates)
  func falls(rate: Double) {
    var random = Noise(seed: 23)
    for seed in 0..<300 {
      let length = 0.1 + 0.9 * random.uniform()
      let left = random.direction() * 0.5 * random.uniform()
      let found = changes(rate: rate, roll: 70 * random.uniform() - 35, seed: UInt64(seed)) { seconds, _ in
        seconds < length ? left : nil
      }
      #expect(found.isEmpty, "\(length) s with \(left) g left: \(found)")
    }
  }

  @Test("a knock of 4 to 16 g and 5 to 60 ms from any direction", arguments: rates)
  func knocks(rate: Double) {
    var random = Noise(seed: 29)
    for seed in 0..<300 {
      let length = 0.005 + 0.055 * random.uniform()
      let peak = random.direction() * (4 + 12 * random.uniform())
      // When the first sample of it falls.
      let start = random.uniform() / rate
      let found = changes(rate: rate, roll: 70 * random.uniform() - 35, seed: UInt64(seed)) { seconds, rest in
        let passed = seconds - start
        return passed > 0 && passed < length ? rest + peak * sin(.pi * passed / length) : nil
      }
      #expect(found.isEmpty, "\(length) s with \(peak) g: \(found)")
    }
  }

  @Test(
    "two seconds of nonsense",
    arguments: [
      SIMD3(Double.nan, 1, 0), SIMD3(0, .nan, 0), SIMD3(.nan, .nan, .nan), SIMD3(.infinity, 0, 0),
      SIMD3(0, -.infinity, 0), SIMD3(1e300, 0, 0), SIMD3(-1e20, 1e20, 0),
      // Saturated at 2 g and at 16 g, stuck at zero.
      SIMD3(2, 0, 0), SIMD3(2, 2, -2), SIMD3(16, -16, 16), SIMD3(0, 0, -16), SIMD3(0, 0, 0),
    ])
  func nonsense(reading: SIMD3<Double>) {
    for rate in rates {
      let found = changes(rate: rate, roll: 0, seed: 31) { seconds, _ in seconds < 2 ? reading : nil }
      #expect(found.isEmpty, "at \(rate) Hz: \(found)")
    }
  }

  @Test("after a second of it, a turn is announced as if nothing had been", arguments: rates)
  func recovery(rate: Double) throws {
    let nonsense = [SIMD3(Double.nan, 0, 0), SIMD3(16, 16, 16), SIMD3(0.1, 0, 0)]
    for reading in nonsense {
      let found = changes(rate: rate, roll: 0, seed: 37) { seconds, _ in
        seconds < 0.9 ? reading : SIMD3(1, 0, 0)
      }
      #expect(found.map(\.orientation) == [.landscapeLeft])
      #expect(try #require(found.first).seconds < 1.9 + 0.75)
    }
  }
}
