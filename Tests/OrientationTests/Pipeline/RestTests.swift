// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Orientation

@Suite("A rest")
struct RestTests {
  private func acceleration(_ vector: SIMD3<Double>) -> Acceleration<SensorFrame> {
    let reading = vector * standardGravity
    return Acceleration(x: reading.x, y: reading.y, z: reading.z)
  }

  /// A direction turned by an angle about an axis across it (Rodrigues).
  private func turned(_ direction: SIMD3<Double>, by degrees: Double, _ random: inout Noise) -> SIMD3<Double>
  {
    var across = random.direction()
    across -= direction * (across * direction).sum()
    across /= (across * across).sum().squareRoot()
    let angle = degrees * .pi / 180
    return direction * cos(angle) + across * sin(angle)
  }

  @Test("holds what is within its tolerance on each axis, and nothing else")
  func tolerance() {
    let rest = Rest(at: Acceleration(x: 1, y: 2, z: 9), tolerance: 0.5)
    #expect(rest.holds(Acceleration(x: 1.5, y: 1.5, z: 9.5)))
    #expect(!rest.holds(Acceleration(x: 1.51, y: 2, z: 9)))
    #expect(!rest.holds(Acceleration(x: 1, y: 1.49, z: 9)))
    #expect(!rest.holds(Acceleration(x: 1, y: 2, z: 9.51)))
    #expect(!rest.holds(Acceleration(x: 1, y: .nan, z: 9)))
  }

  @Test("is left, on the two axes that are lightest, by any turn that moves gravity further than its reach")
  func reach() {
    var random = Noise(seed: 3)
    for _ in 0..<20_000 {
      let attitude = random.direction()
      let rest = Rest(
        at: acceleration(attitude), tolerance: (0.02 + 0.04 * random.uniform()) * standardGravity)
      let reach = rest.reach / standardGravity
      // A turn that moves gravity by a tenth more: the tilt bends away from the plane that the law is about.
      let after = acceleration(turned(attitude, by: 1.1 * reach * 180 / .pi, &random))
      var seen = after
      switch rest.heaviestAxis {
      case .x: seen.x = rest.acceleration.x
      case .y: seen.y = rest.acceleration.y
      case .z: seen.z = rest.acceleration.z
      }
      #expect(!rest.holds(seen), "from \(rest) to \(after)")
    }
  }

  @Test("is most along the axis with the largest component, whatever its sign")
  func heaviest() {
    for (axis, wanted) in [
      (SIMD3(-9.8, 0.1, 0), Rest.Axis.x), (SIMD3(1, -2, 1.9), .y), (SIMD3(0.1, 0.2, 0.3), .z),
    ] {
      #expect(Rest(at: Acceleration(x: axis.x, y: axis.y, z: axis.z), tolerance: 1).heaviestAxis == wanted)
    }
  }
}

@Suite("The pace of a rest")
struct RestPaceTests {
  @Test("is 0.19 s for half a minute, twice that until five minutes have passed, and then a second")
  func slowing() {
    for (seconds, pause) in [(0.0, 0.19), (29.9, 0.19), (30, 0.38), (299, 0.38), (300, 1), (1e6, 1)] {
      #expect(RestPace.slowing.pause(afterResting: seconds) == pause, "after \(seconds) s")
    }
  }

  @Test("stays 0.19 s if it is prompt")
  func prompt() {
    for seconds in [0.0, 30, 300, 1e6] { #expect(RestPace.prompt.pause(afterResting: seconds) == 0.19) }
  }
}
