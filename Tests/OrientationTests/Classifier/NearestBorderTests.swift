// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@Suite("The border that gravity is nearest to")
struct NearestBorderTests {
  private let hysteresis = Angle(degrees: 7)

  private func border(_ present: DeviceOrientation, elevation: Double, roll: Double) -> NearestBorder? {
    let up = held(elevation: elevation, roll: roll) * standardGravity
    return NearestBorder(
      of: present, gravity: Acceleration(x: up.x, y: up.y, z: up.z), hysteresis: hysteresis)
  }

  @Test("is to the orientation to which the tablet is turned, and as far as its middle plane is away")
  func angles() throws {
    for roll in stride(from: 1.0, through: 89, by: 4) {
      let border = try #require(self.border(.portrait, elevation: 90, roll: roll))
      #expect(border.rival == .landscapeLeft)
      #expect(abs(asin(border.sinePastMiddle) * 180 / .pi - (roll - 45)) < 0.001, "\(roll)")
    }
    for elevation in stride(from: 1.0, through: 89, by: 4) {
      let border = try #require(self.border(.portrait, elevation: elevation, roll: 0))
      #expect(border.rival == .faceUp)
      let weighed = atan2(0.404 * cos(elevation * .pi / 180), sin(elevation * .pi / 180)) * 180 / .pi
      #expect(abs(asin(border.sinePastMiddle) * 180 / .pi - (weighed - 45)) < 0.001, "\(elevation)")
    }
  }

  @Test("knows by how many degrees the tablet has turned and where the border is crossed")
  func turn() throws {
    func degrees(_ direction: SIMD2<Double>) -> Double { atan2(direction.x, direction.y) * 180 / .pi }
    for elevation in stride(from: 5.0, through: 85, by: 5) {
      let lowered = try #require(self.border(.portrait, elevation: elevation, roll: 0))
      #expect(abs(degrees(lowered.turned) - (90 - elevation)) < 0.001, "\(elevation)")
      #expect(abs(degrees(lowered.crossing) - (90 - 17.52)) < 0.01)
      let raised = try #require(self.border(.faceUp, elevation: elevation, roll: 0))
      #expect(abs(degrees(raised.turned) - elevation) < 0.001, "\(elevation)")
      #expect(abs(degrees(raised.crossing) - 27.34) < 0.01)
    }
    let rolled = try #require(border(.portrait, elevation: 90, roll: 20))
    #expect(abs(degrees(rolled.turned) - 20) < 0.001 && abs(degrees(rolled.crossing) - 52) < 0.001)
  }

  @Test("is that to a given orientation if one is given")
  func given() throws {
    let up = held(elevation: 30, roll: 10) * standardGravity
    let border = try #require(
      NearestBorder(
        of: .portrait, towards: .landscapeLeft, gravity: Acceleration(x: up.x, y: up.y, z: up.z),
        hysteresis: hysteresis))
    #expect(border.rival == .landscapeLeft && !border.isCrossed)
    #expect(abs(asin(border.sinePastMiddle) * 180 / .pi + 35) < 0.001)
  }

  @Test("is crossed where the classifier, given time, decides for the other orientation")
  func sameAsClassifier() throws {
    for roll in stride(from: 40.0, through: 64, by: 1) where roll != 52 {
      var pipeline = OrientationPipeline(transform: .identity)
      var present = DeviceOrientation.unknown
      for number in 0..<1000 {
        let up = held(elevation: 90, roll: number < 50 ? 0 : roll) * standardGravity
        let sample = Sample<SensorFrame>(
          time: BootTime(nanoseconds: Int64(number) * 40_000_000),
          acceleration: Acceleration(x: up.x, y: up.y, z: up.z))
        present = pipeline.process(sample)?.orientation ?? present
      }
      let border = try #require(self.border(.portrait, elevation: 90, roll: roll))
      #expect(border.isCrossed == (present == .landscapeLeft), "\(roll)")
    }
  }

  @Test("is the opposite one's if the tablet is held the other way round")
  func opposite() throws {
    let border = try #require(self.border(.portrait, elevation: 90, roll: 180))
    #expect(border.rival == .portraitUpsideDown && border.isCrossed)
    #expect(abs(border.sinePastMiddle - 1) < 1e-6)
  }

  @Test("is not there without an orientation, or without gravity")
  func none() {
    #expect(border(.unknown, elevation: 90, roll: 0) == nil)
    for number in [0, .nan, .infinity] {
      let gravity = Acceleration<ScreenFrame>(x: number, y: 0, z: 0)
      #expect(NearestBorder(of: .portrait, gravity: gravity, hysteresis: hysteresis) == nil)
    }
  }
}
