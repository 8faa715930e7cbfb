// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// Attitudes at which a still tablet is most likely to flip: on the borders between two orientations and at the ends of
/// their bands of hysteresis, and around the corner where three orientations meet.
private let precariousAttitudes: [SIMD3<Double>] = {
  let bands = [38.0, 43, 45, 47, 50, 52, 53]
  let uprights = bands.flatMap { roll in [90.0, 60].map { held(elevation: $0, roll: roll) } }
  let lap = bands.map { roll in held(elevation: 34, roll: roll) }
  let faces = [17.5, 20.5, 22, 23.5, 25.5, 27.3, 28.5].flatMap { elevation in
    [0.0, 30].map { held(elevation: elevation, roll: $0) }
  }
  let corners = [24.0, 27, 29.7, 33, 36].flatMap { elevation in
    [39.0, 45, 51].map { held(elevation: elevation, roll: $0) }
  }
  return uprights + lap + faces + corners
}()

@Suite("A still tablet never flips, with 50 mg of noise")
struct StillTabletTests {
  /// How often the orientation changes after its first report.
  private func changes(at attitude: SIMD3<Double>, rate: Double, samples: Int, seed: Int) -> Int {
    var pipeline = OrientationPipeline(transform: .identity)
    var noise = SensorNoise(deviation: 0.05, seed: UInt64(seed))
    var count = 0
    for tick in 0..<samples where pipeline.process(at: Double(tick) / rate, attitude + noise.next()) != nil {
      count += 1
    }
    return count - 1
  }

  @Test("in an hour at 25 Hz, at the most precarious attitudes", arguments: precariousAttitudes.indices)
  func hour(index: Int) {
    #expect(changes(at: precariousAttitudes[index], rate: 25, samples: 90_000, seed: index) == 0)
  }

  @Test("in an hour at 10 Hz, where each sample weighs most", arguments: precariousAttitudes.indices)
  func slowSensor(index: Int) {
    #expect(changes(at: precariousAttitudes[index], rate: 10, samples: 36_000, seed: 100 + index) == 0)
  }

  @Test("in an hour at 100 Hz", arguments: [3, 20, 35])
  func fastSensor(index: Int) {
    #expect(changes(at: precariousAttitudes[index], rate: 100, samples: 360_000, seed: 200 + index) == 0)
  }

  @Test("in a minute at 25 Hz, at any of a thousand attitudes")
  func anyAttitude() {
    var directions = Noise(seed: 13)
    for seed in 0..<1000 {
      let attitude = directions.direction()
      #expect(changes(at: attitude, rate: 25, samples: 1500, seed: seed) == 0, "\(attitude)")
    }
  }

  @Test("from a neighbouring pose it changes once or never", arguments: precariousAttitudes.indices)
  func arriving(index: Int) {
    for pose in axes where (pose.axis * precariousAttitudes[index]).sum() > 0.3 {
      var pipeline = OrientationPipeline(transform: .identity)
      _ = pipeline.feed(Array(repeating: pose.axis, count: 25))
      var noise = SensorNoise(deviation: 0.05, seed: UInt64(300 + index))
      let readings = (0..<9000).lazy.map { _ in precariousAttitudes[index] + noise.next() }
      #expect(pipeline.feed(readings, from: 1).count <= 1, "from \(pose.orientation)")
    }
  }
}
