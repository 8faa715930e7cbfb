// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport

/// The rates that the daemon samples at, from the slowest sensor to the fastest, in hertz.
let rates = [10.0, 25, 50, 100, 200]

extension OrientationChange {
  /// The time in seconds.
  var seconds: Double { time.seconds(since: BootTime(nanoseconds: 0)) }
}

extension Double {
  /// Whether it differs from a number by no more than a tolerance.
  func isClose(to other: Double, within tolerance: Double) -> Bool { abs(self - other) <= tolerance }
}

extension OrientationPipeline {
  /// Feeds readings (in g) at a rate from a start on and returns the changes.
  mutating func feed(
    _ readings: some Sequence<SIMD3<Double>>, hertz: Double = 25, from start: Double = 0
  ) -> [OrientationChange] {
    var time = start
    return readings.compactMap { reading in
      defer { time += 1 / hertz }
      return process(at: time, reading)
    }
  }

  /// Feeds one reading in g.
  mutating func process(at seconds: Double, _ reading: SIMD3<Double>) -> OrientationChange? {
    let force = reading * standardGravity
    return process(
      Sample(
        time: BootTime(nanoseconds: Int64((seconds * 1e9).rounded())),
        acceleration: Acceleration(x: force.x, y: force.y, z: force.z)))
  }
}

/// The noise of a sensor, drawn in advance: 65,536 vectors of deviation one.
private let drawnNoise: [SIMD3<Double>] = {
  var noise = Noise(seed: 11)
  return (0..<65536).map { _ in noise.vector(deviation: 1) }
}()

/// A sensor's noise for long recordings: of vectors drawn in advance, in a random order.
struct SensorNoise {
  private var order: Noise
  private let deviation: Double

  init(deviation: Double, seed: UInt64) {
    order = Noise(seed: seed)
    self.deviation = deviation
  }

  /// What the sensor adds to the next reading, in g.
  mutating func next() -> SIMD3<Double> {
    drawnNoise[Int(order.uniform() * 65536) & 65535] * deviation
  }
}
