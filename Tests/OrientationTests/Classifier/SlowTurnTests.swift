// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@Suite("A slow turn changes once per border")
struct SlowTurnTests {
  /// The changes while the device turns in the plane of two directions at right angles, at 1 degree a second.
  private func changes(
    from start: SIMD3<Double>, towards side: SIMD3<Double>, degrees: Double, rate: Double, noise: Double
  ) -> [DeviceOrientation] {
    var pipeline = OrientationPipeline(transform: .identity)
    var sensor = SensorNoise(deviation: noise, seed: 17)
    let readings = (0..<Int(degrees * rate)).lazy.map { tick in
      let angle = Double(tick) / rate * .pi / 180
      return cos(angle) * start + sin(angle) * side + sensor.next()
    }
    return pipeline.feed(readings, hertz: rate).map(\.orientation)
  }

  @Test("around the screen's normal: four upright orientations", arguments: rates)
  func roll(rate: Double) {
    for noise in [0, 0.02, 0.05] {
      #expect(
        changes(from: SIMD3(0, 1, 0), towards: SIMD3(1, 0, 0), degrees: 360, rate: rate, noise: noise) == [
          .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait,
        ])
    }
  }

  @Test("over the top: faces and uprights", arguments: rates)
  func pitch(rate: Double) {
    for noise in [0, 0.02, 0.05] {
      #expect(
        changes(from: SIMD3(0, 0, 1), towards: SIMD3(0, 1, 0), degrees: 360, rate: rate, noise: noise) == [
          .faceUp, .portrait, .faceDown, .portraitUpsideDown, .faceUp,
        ])
    }
  }

  @Test("along any great circle none comes back at once", arguments: [10.0, 25, 100])
  func anyPlane(rate: Double) {
    var directions = Noise(seed: 19)
    for _ in 0..<12 {
      let start = directions.direction()
      let other = directions.direction()
      let across = other - (other * start).sum() * start
      let side = across / (across * across).sum().squareRoot()
      let found = changes(from: start, towards: side, degrees: 400, rate: rate, noise: 0.05)
      for (first, third) in zip(found, found.dropFirst(2)) { #expect(first != third, "\(start) \(side)") }
    }
  }
}
