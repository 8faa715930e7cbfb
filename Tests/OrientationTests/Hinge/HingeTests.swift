// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

/// The gravity in display and base of a laptop.
///
/// - Parameters:
///   - hinge: the angle of the hinge, in degrees.
///   - pitch: by how much the base is turned about the hinge's axis, in degrees: 0 lies on a desk.
///   - roll: how far the right end of the axis is above the horizon, in degrees.
///   - natural: the natural orientation of the panel.
/// - Returns: the two.
private func gravity(
  hinge: Double, pitch: Double = 0, roll: Double = 0, natural: NaturalOrientation = .portrait
) -> (display: Acceleration<ScreenFrame>, base: Acceleration<ScreenFrame>) {
  func force(turnedBy degrees: Double) -> Acceleration<ScreenFrame> {
    let (turn, rise) = (degrees * .pi / 180, roll * .pi / 180)
    let (along, up, out) = (
      sin(rise) * standardGravity, sin(turn) * cos(rise) * standardGravity,
      cos(turn) * cos(rise) * standardGravity
    )
    return switch natural {
    case .portrait: Acceleration(x: along, y: up, z: out)
    case .portraitUpsideDown: Acceleration(x: -along, y: -up, z: out)
    case .landscapeLeft: Acceleration(x: up, y: -along, z: out)
    case .landscapeRight: Acceleration(x: -up, y: along, z: out)
    }
  }
  return (force(turnedBy: pitch + 180 - hinge), force(turnedBy: pitch))
}

private func degrees(_ estimate: HingeEstimate) -> Double? {
  guard case .open(let sine, let cosine) = estimate else { return nil }
  return 180 + atan2(sine, cosine) * 180 / .pi
}

private let naturals: [NaturalOrientation] = [
  .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight,
]

@Suite("The hinge between two accelerometers")
struct HingeEstimateTests {
  @Test(
    "a laptop on a desk has the angle of its screen, whatever the panel's natural orientation",
    arguments: naturals)
  func desk(natural: NaturalOrientation) throws {
    for hinge in stride(from: 35.0, through: 325, by: 5) {
      let (display, base) = gravity(hinge: hinge, natural: natural)
      let found = try #require(
        degrees(HingeEstimate(display: display, base: base, laptop: natural)), "\(hinge)")
      #expect(abs(found - hinge) < 1e-9)
    }
  }

  @Test("the angle does not depend on how the machine is held, unless the hinge's axis stands upright")
  func attitude() throws {
    for hinge in stride(from: 35.0, through: 325, by: 29) {
      for pitch in stride(from: -180.0, to: 180, by: 17) {
        for roll in stride(from: -60.0, through: 60, by: 12) {
          let (display, base) = gravity(hinge: hinge, pitch: pitch, roll: roll)
          let estimate = HingeEstimate(display: display, base: base, laptop: .portrait)
          let found = try #require(degrees(estimate), "\(hinge) \(pitch) \(roll)")
          #expect(abs(found - hinge) < 1e-9)
        }
      }
    }
  }

  @Test(
    "the angle is unknown while the axis stands upright, and says nothing on the way there",
    arguments: [-1.0, 1])
  func upright(side: Double) {
    for hinge in [40.0, 100, 300] {
      for roll in stride(from: 75.0, through: 90, by: 1) {
        let (display, base) = gravity(hinge: hinge, roll: side * roll)
        #expect(HingeEstimate(display: display, base: base, laptop: .portrait) == .axisUpright)
      }
      for roll in stride(from: 65.0, through: 73, by: 1) {
        let (display, base) = gravity(hinge: hinge, roll: side * roll)
        #expect(HingeEstimate(display: display, base: base, laptop: .portrait) == .axisAlmostUpright)
      }
    }
  }

  @Test("folded back, it is a tablet unless the screen faces down; closed, it is not known which")
  func folded() throws {
    for hinge in [335.0, 345, 359, 360] {
      for pitch in [100.0, 120, 180, 240, 260] {
        let (display, base) = gravity(hinge: hinge, pitch: pitch)
        let found = try #require(degrees(HingeEstimate(display: display, base: base, laptop: .portrait)))
        #expect(found >= 330)
      }
    }
    for hinge in [0.0, 1, 15, 28] {
      let (display, base) = gravity(hinge: hinge)
      #expect(HingeEstimate(display: display, base: base, laptop: .portrait) == .closedOrFoldedBack)
    }
  }

  @Test("noise of 0.05 g on each axis moves the angle by less than 20 degrees, to 60 degrees of roll")
  func noise() throws {
    var noise = Noise(seed: 15)
    for _ in 0..<20_000 {
      let hinge = 55 + noise.uniform() * 250
      let (display, base) = gravity(
        hinge: hinge, pitch: noise.uniform() * 360, roll: noise.uniform() * 120 - 60)
      func shaken(_ force: Acceleration<ScreenFrame>) -> Acceleration<ScreenFrame> {
        func error() -> Double { (noise.uniform() - 0.5) * 0.1 * standardGravity }
        return Acceleration(x: force.x + error(), y: force.y + error(), z: force.z + error())
      }
      let estimate = HingeEstimate(display: shaken(display), base: shaken(base), laptop: .portrait)
      guard let found = degrees(estimate) else { continue }
      #expect(abs(found - hinge) < 20)
    }
  }

  @Test("readings that are no gravity, or do not fit each other, are a contradiction")
  func nonsense() {
    let still = Acceleration<ScreenFrame>(x: 0, y: 0, z: 9.8)
    for wrong in [
      Acceleration<ScreenFrame>(x: 0, y: 0, z: 0), Acceleration(x: 0, y: 0, z: 4),
      Acceleration(x: 0, y: 0, z: 16), Acceleration(x: .nan, y: 0, z: 9.8),
      Acceleration(x: 0, y: .infinity, z: 0), Acceleration(x: 5, y: 0, z: 8.4),
    ] {
      #expect(HingeEstimate(display: still, base: wrong, laptop: .portrait) == .contradiction)
      #expect(HingeEstimate(display: wrong, base: still, laptop: .portrait) == .contradiction)
    }
  }
}

@Suite("The position of a hinge")
struct HingePositionTests {
  @Test(
    "is laptop below 160 degrees, tablet above 200, and the last one known in between",
    arguments: [
      ([90], .laptop), ([270], .tablet), ([180], .unknown), ([0], .laptop), ([360], .tablet),
      ([90, 180], .laptop), ([90, 200], .laptop), ([90, 200.5], .tablet), ([270, 180], .tablet),
      ([270, 160], .tablet), ([270, 159.5], .laptop), ([.nan], .unknown), ([90, .nan], .unknown),
      ([90, .nan, 180], .laptop), ([270, .nan, 180], .tablet), ([90, .nan, 270], .tablet), ([500], .unknown),
      ([90, 500], .unknown), ([-1], .unknown), ([.infinity], .unknown), ([-0.0], .laptop),
      ([360.00001], .tablet), ([-0.00001], .laptop), ([361], .unknown),
    ] as [([Double], TabletMode)])
  func table(angles: [Double], mode: TabletMode) {
    #expect(angles.reduce(HingePosition()) { $0.moved(to: $1) }.mode == mode)
  }
}
