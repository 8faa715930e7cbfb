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
      (SIMD3(-9.8, 0.1, 0), Axis.x), (SIMD3(1, -2, 1.9), .y), (SIMD3(0.1, 0.2, 0.3), .z),
    ] {
      #expect(Rest(at: Acceleration(x: axis.x, y: axis.y, z: axis.z), tolerance: 1).heaviestAxis == wanted)
    }
  }
}

@Suite("The looks at a tablet at rest")
struct RestLooksTests {
  /// The pause after so many seconds in which it was looked at every 0.19 s, and read what `sway` says, in g.
  private func pause(
    after seconds: Double, pace: RestPace = .slowing, isLevel: Bool,
    sway: (Int) -> SIMD3<Double> = { _ in SIMD3() }
  ) -> Double {
    let start = BootTime(nanoseconds: 0)
    let rest = Rest(at: acceleration(SIMD3(0, 0, 1)), tolerance: 0.5, pace: pace, isLevel: isLevel)
    var looks = RestLooks(at: rest, since: start)
    for look in 0..<Int(seconds / 0.19) { looks.found(acceleration(SIMD3(0, 0, 1) + sway(look))) }
    return looks.pause(at: start.advanced(bySeconds: seconds))
  }

  private func acceleration(_ reading: SIMD3<Double>) -> Acceleration<SensorFrame> {
    let force = reading * standardGravity
    return Acceleration(x: force.x, y: force.y, z: force.z)
  }

  @Test("are 0.19 s apart for half a minute, twice that until five minutes have passed, and then a second")
  func slowing() {
    for (seconds, expected) in [(0.0, 0.19), (29.9, 0.19), (30, 0.38), (299, 0.38), (300, 1), (4000, 1)] {
      #expect(pause(after: seconds, isLevel: false) == expected, "after \(seconds) s")
    }
  }

  @Test("are 0.7 s apart after three seconds for a tablet that lies flat")
  func lying() {
    for (seconds, expected) in [(0.0, 0.19), (3, 0.19), (3.1, 0.7), (299, 0.7), (300, 1)] {
      #expect(pause(after: seconds, isLevel: true) == expected, "after \(seconds) s")
    }
  }

  @Test("are 0.7 s apart for good, however far the chip drifts, once the tablet has been found to lie flat")
  func drifting() {
    #expect(pause(after: 29, isLevel: true) { SIMD3(0.001 * Double($0), 0, 0) } == 0.7)
    #expect(pause(after: 29, isLevel: true) { $0 < 20 ? SIMD3() : SIMD3(0.03, 0, 0) } == 0.7)
  }

  @Test(
    "are 0.7 s apart for a chip that hisses, by up to 10 mg: mostly after 16 s, and within 80 s in any case")
  func hissing() {
    for milli in [2.0, 4, 5, 7, 10] {
      func lying(after seconds: Double) -> Int {
        (UInt64(1)...40).count { seed in
          var noise = Noise(seed: seed)
          return pause(after: seconds, isLevel: true) { _ in noise.vector(deviation: milli / 1000) } == 0.7
        }
      }
      #expect(lying(after: 16) >= 32, "\(milli) mg")
      #expect(lying(after: 80) == 40, "\(milli) mg")
    }
  }

  @Test(
    "stay 0.19 s apart if what hisses is more than a chip, or is not one: what sways, or trembles at one frequency"
  )
  func swaying() {
    var noise = Noise(seed: 1)
    #expect(pause(after: 29, isLevel: true) { _ in noise.vector(deviation: 0.015) } == 0.19)
    for period in [2.0, 3, 4, 5, 8, 16, 40] {
      let hand = pause(after: 29, isLevel: true) {
        let angle = 2 * Double.pi * (Double($0) + 0.25) / period
        return 0.01 * SIMD3(cos(angle), sin(angle), 0) + noise.vector(deviation: 0.004)
      }
      #expect(hand == 0.19, "every \(period) looks")
    }
  }

  @Test("stay 0.19 s apart if the pace is prompt")
  func prompt() {
    for seconds in [0.0, 30, 400] { #expect(pause(after: seconds, pace: .prompt, isLevel: true) == 0.19) }
  }
}
