// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Orientation

@Suite("The band of hysteresis is 7 degrees on either side of every border, as gravity is weighed")
struct HysteresisTests {
  /// Turns through a range of angles and back, in steps of a quarter of a degree that are held for 6 s, as the evidence takes
  /// its time where there is little; returns the angles at which the orientation changed.
  private func changes(
    within range: ClosedRange<Double> = 30...60, _ attitude: (Double) -> SIMD3<Double>
  ) -> (orientations: [DeviceOrientation], angles: [Double]) {
    let angles = Array(stride(from: range.lowerBound, through: range.upperBound, by: 0.25))
    let way = (angles + angles.reversed()).flatMap { Array(repeating: $0, count: 60) }
    var pipeline = OrientationPipeline(transform: .identity)
    let changes = pipeline.feed(way.lazy.map(attitude), hertz: 10).dropFirst()
    return (changes.map(\.orientation), changes.map { way[Int(($0.seconds * 10).rounded())] })
  }

  @Test(
    "in the roll between two upright orientations, at every elevation where one of them is the nearest",
    arguments: Array(stride(from: 32.0, through: 90, by: 2)))
  func uprights(elevation: Double) {
    let (orientations, angles) = changes { held(elevation: elevation, roll: $0) }
    guard orientations == [.landscapeLeft, .portrait] else {
      Issue.record("\(orientations) at \(angles)")
      return
    }
    #expect(angles[0].isClose(to: 52, within: 0.3) && angles[1].isClose(to: 38, within: 0.3), "\(angles)")
  }

  @Test(
    "in the elevation between a face and an upright orientation, at every roll where one of them is the nearest",
    arguments: Array(stride(from: -36.0, through: 36, by: 4)))
  func faces(roll: Double) {
    // The angle in the plane of the two axes: z and y.
    let (orientations, angles) = changes(within: 10...35) { angle in
      let attitude = held(elevation: angle, roll: 0)
      let side = attitude.y * tan(roll)
      return SIMD3(side, attitude.y, attitude.z) / (1 + side * side).squareRoot()
    }
    guard orientations == [.portrait, .faceUp] else {
      Issue.record("\(orientations) at \(angles)")
      return
    }
    // Whose tangents are those of 52 and 38 degrees, times that of 22.
    #expect(angles[0].isClose(to: 27.3, within: 0.3) && angles[1].isClose(to: 17.5, within: 0.3), "\(angles)")
  }

  // Below 32 degrees of elevation a roll passes through a face, which is nearer than both uprights. There the rule itself is
  // measured, as the face hides it.
  @Test(
    "in the rule for two orientations, from 20 to 90 degrees of elevation",
    arguments: Array(stride(from: 20.0, through: 90, by: 5)))
  func rule(elevation: Double) throws {
    let border = Border(hysteresis: Angle(degrees: 7))
    let rolls = stride(from: 0.0, through: 90, by: 0.01)
    let forth = try #require(
      rolls.first { roll in
        let gravity = held(elevation: elevation, roll: roll)
        return border.excess(of: Float(gravity.x), over: Float(gravity.y)) > 0
      })
    let back = try #require(
      rolls.reversed().first { roll in
        let gravity = held(elevation: elevation, roll: roll)
        return border.excess(of: Float(gravity.y), over: Float(gravity.x)) > 0
      })
    #expect(forth.isClose(to: 52, within: 0.02) && back.isClose(to: 38, within: 0.02), "\(back) \(forth)")
  }

  private func tan(_ degrees: Double) -> Double {
    Angle(degrees: degrees).sine / Angle(degrees: 90 - degrees).sine
  }
}
