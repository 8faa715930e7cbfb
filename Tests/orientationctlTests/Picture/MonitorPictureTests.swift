// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Orientation
import TabletPicture
import TestSupport
import Testing

@testable import OrientationctlKit

/// Compares with the files in `Frames`; with `WRITE_FRAMES=1` in the environment, the tests write them.
@Suite("The picture of the monitor")
struct MonitorPictureTests {
  /// A picture of a tablet that is held still in a pose.
  ///
  /// - Parameters:
  ///   - pose: how it is held.
  ///   - locked: the orientation in which rotation is locked; nil if it is not.
  /// - Returns: the picture at rest.
  /// - Throws: nothing for a known pose.
  private func picture(_ pose: DeviceOrientation, locked: InterfaceOrientation? = nil) throws
    -> MonitorPicture
  {
    var picture = MonitorPicture(hysteresis: Angle(degrees: 7))
    picture.device = DeviceSnapshot()
    picture.device.hasAccelerometer = true
    picture.device.sensorName = "kxcjk1013"
    picture.device.sensorStatus = "active"
    picture.device.sampleRate = 25
    var screen = ScreenSnapshot()
    screen.orientation = locked ?? InterfaceOrientation(uprightOn: pose) ?? .portrait
    screen.transform = OutputTransform(showing: screen.orientation, natural: .portrait).rawValue
    screen.lock = locked == nil ? .unlocked : .locked
    picture.orientation = .portrait
    picture.screen = screen
    let axis = try #require(axes.first { $0.orientation == pose }).axis * standardGravity
    // A hand never holds exactly.
    picture.gravity = .known(Acceleration(x: axis.x + 0.3, y: axis.y + 0.2, z: axis.z + 0.4))
    if locked == nil { picture.orientation = pose }
    picture.settle()
    return picture
  }

  @Test("shows each pose with its interface", arguments: axes.map(\.orientation))
  func poses(pose: DeviceOrientation) throws {
    try expectFrame(picture(pose).state, is: pose.name)
    try expectFrame(picture(pose).state, columns: 40, rows: 12, is: "\(pose.name)-40x12")
  }

  @Test("shows that the interface stays where rotation is locked", arguments: axes.map(\.orientation))
  func locked(pose: DeviceOrientation) throws {
    try expectFrame(picture(pose, locked: .portrait).state, is: "\(pose.name)-locked")
    try expectFrame(
      picture(pose, locked: .portrait).state, columns: 40, rows: 12, is: "\(pose.name)-locked-40x12")
  }

  @Test("has other characters where the terminal has no Braille patterns")
  func characters() throws {
    try expectFrame(picture(.landscapeLeft).state, range: .blocks, is: "blocks")
    try expectFrame(picture(.landscapeLeft).state, range: .ascii, is: "ascii")
  }

  @Test("says what is not known: the daemon, gravity, the sensor")
  func unknown() throws {
    var missing = MonitorPicture(hysteresis: Angle(degrees: 7))
    missing.message = "orientationd has stopped; waiting for it to start again"
    try expectFrame(missing.state, is: "no-daemon")
    var forbidden = try picture(.landscapeRight)
    forbidden.gravity = .forbidden
    forbidden.settle()
    try expectFrame(forbidden.state, is: "no-permission")
    var blind = try picture(.portrait)
    blind.orientation = .unknown
    blind.gravity = .unknown
    blind.device = DeviceSnapshot()
    blind.settle()
    try expectFrame(blind.state, is: "no-sensor")
  }

  @Test("fits into any size, down to one cell")
  func sizes() throws {
    let picture = try picture(.landscapeLeft)
    for columns in [1, 2, 9, 20, 31, 40, 65, 66, 79, 81, 132, 200] {
      for rows in [1, 2, 6, 7, 12, 19, 20, 23, 25, 50, 60] {
        let grid = picture.state.frame(columns: columns, rows: rows, range: .braille)
        #expect(grid.columns == columns && grid.rows == rows)
        let isText = columns >= 31 && rows >= 4
        if isText { #expect(grid.text.contains("landscapeLeft"), "\(columns) x \(rows)") }
      }
    }
  }

  @Test("turns from one pose to each other one without a jump, and comes to rest")
  func motion() throws {
    for (start, _) in axes {
      for (end, _) in axes {
        var picture = try picture(start)
        picture.gravity = try self.picture(end).gravity
        var before = picture.state.tablet.attitude
        var steps = 0
        while picture.isMoving, steps < 300 {
          picture.advance(seconds: 1.0 / 30)
          steps += 1
          let now = picture.state.tablet.attitude
          // Half a turn, which is the longest, has no more than its share in a thirtieth of a second.
          let cosine = min((before.top * now.top).sum(), (before.out * now.out).sum())
          #expect(cosine > 0.85, "\(start) to \(end), step \(steps)")
          before = now
        }
        #expect(steps < 300, "\(start) to \(end)")
      }
    }
  }

  @Test("turns the interface the short way when it follows the device")
  func interface() throws {
    var picture = try picture(.portrait)
    picture.screen?.orientation = .landscapeLeft
    var angles: [Double] = []
    while picture.isMoving, angles.count < 300 {
      picture.advance(seconds: 1.0 / 30)
      angles.append(try #require(picture.state.tablet.interfaceAngle))
    }
    #expect(angles.allSatisfy { $0 <= 0.001 && $0 > -.pi / 2 - 0.001 })
    #expect(abs(try #require(angles.last) + .pi / 2) < 0.01)
  }

  @Test(
    "has a spirit level whose lines are where the classifier, with no band, changes between a face and an upright one"
  )
  func level() throws {
    for roll in stride(from: -45.0, through: 45, by: 5) {
      let way = held(elevation: 90, roll: roll)
      let sine = BubbleLevel.faceBorder(towards: SIMD2(way.x, way.y))
      for (offset, isUpright) in [(-0.01, false), (0.01, true)] {
        let inPlane = sine + offset
        let up =
          SIMD3(way.x * inPlane, way.y * inPlane, (1 - inPlane * inPlane).squareRoot()) * standardGravity
        let border = try #require(
          NearestBorder(
            of: .faceUp, gravity: Acceleration(x: up.x, y: up.y, z: up.z), hysteresis: Angle(degrees: 0)))
        #expect(border.isCrossed == isUpright, "rolled by \(roll) degrees")
      }
    }
  }

  @Test("shows how far gravity is from the next border, by the daemon's borders")
  func border() throws {
    var picture = try picture(.portrait)
    func value(_ name: String) -> [String] {
      picture.state.parts.compactMap {
        if case .field(name, let value, _, let detail) = $0 { "\(value) \(detail)" } else { nil }
      }
    }
    for (roll, expected) in [(0.0, "52°"), (30, "22°"), (50, "2°")] {
      let up = held(elevation: 90, roll: roll) * standardGravity
      picture.gravity = .known(Acceleration(x: up.x, y: up.y, z: up.z))
      picture.settle()
      #expect(value("Next turn")[0].hasPrefix(expected), "\(roll)")
    }
    let up = held(elevation: 90, roll: 55) * standardGravity
    picture.gravity = .known(Acceleration(x: up.x, y: up.y, z: up.z))
    picture.settle()
    #expect(value("Next turn") == ["passed to landscapeLeft"])
    // Announced, and turned back: past the same border again, from the other side.
    picture.orientation = .landscapeLeft
    picture.settle()
    picture.gravity = .known(Acceleration(x: 0, y: standardGravity, z: 0))
    picture.settle()
    #expect(value("Next turn") == ["passed to portrait"])
    picture.orientation = .portrait
    picture.settle()
    picture.gravity = .known(Acceleration(x: up.x, y: up.y, z: up.z))
    picture.settle()
    // Under the lock, the announced orientation stays; the next border is that of how it is really held.
    picture.screen?.lock = .locked
    picture.settle()
    picture.settle()
    #expect(value("Next turn") == ["17° to portrait"])
    #expect(value("Device") == ["landscapeLeft announced: portrait"])
  }
}
