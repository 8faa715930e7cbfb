// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TabletPicture
import TestSupport
import Testing

@testable import OrientationctlKit

/// Compares with the files in `Picture/Frames`, as the tests of the monitor's picture do.
@Suite("The picture of a calibration")
struct CalibrationPictureTests {
  private func picture(
    _ pose: CalibrationPose, natural: NaturalOrientation = .portrait, degrees: Double = 8
  ) -> CalibrationPicture {
    var picture = CalibrationPicture(natural: natural)
    picture.pose = pose
    let angle = degrees * .pi / 180
    picture.deviation = PoseDeviation(SIMD3(sin(angle) * 0.8, sin(angle) * 0.6, cos(angle)), axis: 2)
    picture.stillness = 0.6
    picture.advance(seconds: 100)
    return picture
  }

  @Test(
    "shows each pose with the panel's own upright, the tilt and the stillness",
    arguments: CalibrationPose.allCases)
  func poses(pose: CalibrationPose) throws {
    let name = "calibrate-\(pose.name.replacing(" ", with: "-"))"
    try expectFrame(picture(pose).state, is: name)
    try expectFrame(picture(pose).state, columns: 40, rows: 12, is: "\(name)-40x12")
  }

  @Test("shows a panel that is wider than high as such")
  func landscape() throws {
    try expectFrame(picture(.upright, natural: .landscapeLeft).state, is: "calibrate-upright-landscape")
    try expectFrame(
      picture(.rightEdgeUp, natural: .landscapeLeft).state, is: "calibrate-right-edge-up-landscape")
  }

  @Test("shows why a pose was refused, in as many lines as that needs, and that one must hold it")
  func refused() throws {
    var refused = picture(.flat, degrees: 80)
    refused.result = PoseProblem.same(.flat, as: .upright, degreesApart: 10).description
    refused.isToHold = true
    try expectFrame(refused.state, is: "calibrate-refused")
    try expectFrame(refused.state, columns: 40, rows: 12, is: "calibrate-refused-40x12")
  }

  @Test("shows no stillness in a pose that is too far off: a full bar looks like approval")
  func wrongPose() {
    var wrong = picture(.flat, degrees: 80)
    wrong.stillness = 1
    let parts = wrong.state.parts
    #expect(parts.contains(.field("Tilt", "80°, too much", .attention, detail: "whichever side is up")))
    #expect(parts.contains(.field("Still", "", .gravity)))
    #expect(parts.contains(.bar(0, .gravity)))
  }

  @Test("says why there are no readings, and shows no old ones then")
  func obstacle() {
    var waiting = picture(.flat)
    waiting.obstacle = "it has ended"
    let state = waiting.state
    #expect(state.message == "it has ended")
    #expect(
      state.parts.contains(.field("Tilt", "unknown", .plain)) && state.parts.contains(.bar(0, .gravity)))
  }

  @Test("turns from one pose to the next, and arrives")
  func motion() {
    var picture = picture(.upright)
    var goal = picture
    (goal.pose, picture.pose) = (.rightEdgeUp, .rightEdgeUp)
    goal.advance(seconds: 100)
    for _ in 0..<100 { picture.advance(seconds: 0.04) }
    let (one, other) = (picture.state.tablet.attitude, goal.state.tablet.attitude)
    #expect((one.top * other.top).sum() > 0.999 && (one.out * other.out).sum() > 0.999)
  }

  @Test(
    "shows the tilt from the axes that a pose can still have, whatever the mounting and the sign",
    arguments: signs)
  func deviation(sign: SignConvention) throws {
    for mounting in ChipMounting.all {
      var readings = PoseReadings(expectedSign: sign)
      for pose in CalibrationPose.allCases {
        let exact = mounting.reading(of: pose.heldUpBy, sign)
        #expect(try #require(readings.deviation(of: exact, from: pose)).degrees < 0.001)
        let other = CalibrationPose.allCases.first { $0 != pose }?.heldUpBy ?? .zero
        let leaning = mounting.reading(of: pose.heldUpBy * cos(0.5) + other * sin(0.5), sign)
        let deviation = try #require(readings.deviation(of: leaning, from: pose))
        #expect(abs(deviation.degrees - 0.5 * 180 / .pi) < 0.001)
        #expect(abs((deviation.sideways * deviation.sideways).sum().squareRoot() - sin(0.5)) < 0.001)
        try readings.take(exact, as: pose)
        // The next pose is a quarter turn away from this one.
        if readings.calibration == nil {
          #expect(try #require(readings.deviation(of: exact, from: readings.next)).degrees > 89)
        }
      }
      #expect(readings.deviation(of: Acceleration(x: 0, y: 0, z: 0), from: .upright) == nil)
      #expect(readings.deviation(of: Acceleration(x: .nan, y: 0, z: 0), from: .upright) == nil)
    }
  }

  @Test("fills its bar while the tablet is still, and empties it when that is moved")
  func stillness() {
    var stillness = Stillness(lasting: 1)
    func sample(_ number: Int, _ x: Double) -> Sample<SensorFrame> {
      Sample(
        time: BootTime(nanoseconds: Int64(number) * 100_000_000),
        acceleration: Acceleration(x: x, y: 0, z: 9.8))
    }
    #expect(stillness.share == 0)
    for number in 0...5 { _ = stillness.add(sample(number, 0)) }
    #expect(abs(stillness.share - 0.5) < 1e-9)
    for number in 6...20 { _ = stillness.add(sample(number, 0)) }
    #expect(stillness.share == 1)
    _ = stillness.add(sample(21, 3))
    #expect(stillness.share == 0)
  }
}
