// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// The upright orientations in the order of a turn against the clock, by a quarter each.
private let turns: [NaturalOrientation] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]

/// What a resting sensor reads, in m/s^2, when a screen is held so.
private func reading<Frame>(_ device: DeviceOrientation) throws -> Acceleration<Frame> {
  let axis = try #require(axes.first { $0.orientation == device }).axis * standardGravity
  return Acceleration(x: axis.x, y: axis.y, z: axis.z)
}

@Suite("The natural orientation")
struct NaturalOrientationTests {
  @Test("is shown by the interface that stands upright on it")
  func interface() {
    for natural in NaturalOrientation.allCases {
      #expect(natural.interface == InterfaceOrientation(uprightOn: natural.device))
      #expect(natural.rawValue == natural.device.name)
    }
  }

  @Test("has the edges that the poses of a calibration name", arguments: NaturalOrientation.allCases)
  func edges(natural: NaturalOrientation) throws {
    func words(_ pose: CalibrationPose) throws -> String? {
      let up = pose.up(on: natural)
      return try #require(DeviceOrientation.allCases.first { $0.up == up }).meaning(on: natural)
    }
    #expect(try words(.upright) == "top edge up")
    #expect(try words(.rightEdgeUp) == "right edge up")
    #expect(try words(.flat) == "screen up")
    #expect(DeviceOrientation.unknown.meaning(on: natural) == nil)
  }

  @Test("is another one after a turn, against which the device is turned", arguments: turns.indices)
  func turned(natural: Int) {
    let quarters: [QuarterTurn] = [.zero, .clockwise, .half, .counterclockwise]
    for (index, turn) in quarters.enumerated() {
      #expect(turns[natural].turned(by: turn) == turns[(natural + index) % 4])
    }
  }

  @Test("a landscape panel with its own top up is landscapeLeft, with its right edge up portraitUpsideDown")
  func landscapePanel() throws {
    let turned = ScreenTransform.identity.turned(to: .landscapeLeft)
    #expect(turned(try reading(.portrait)) == (try reading(.landscapeLeft)))
    #expect(turned(try reading(.landscapeLeft)) == (try reading(.portraitUpsideDown)))
  }

  // The law: the device's angle is the natural orientation's plus that by which the panel is turned from its own upright.
  @Test(
    "and the turn from it add up, for each of four panels in each of four poses", arguments: turns.indices)
  func angles(natural: Int) throws {
    let transform = ScreenTransform.identity.turned(to: turns[natural])
    for turn in turns.indices {
      let held = turns[(natural + turn) % 4].device
      #expect(transform(try reading(turns[turn].device)) == (try reading(held)))
    }
  }

  @Test("does not tell face up from face down", arguments: [DeviceOrientation.faceUp, .faceDown])
  func flat(pose: DeviceOrientation) throws {
    for natural in NaturalOrientation.allCases {
      #expect(ScreenTransform.identity.turned(to: natural)(try reading(pose)) == (try reading(pose)))
    }
  }
}

@Suite("The transform of the output")
struct OutputTransformTests {
  @Test("on a portrait panel is 90 with the left edge up, 180 top down, and 270 with the right edge up")
  func portraitPanel() throws {
    let expected: KeyValuePairs<DeviceOrientation, String> = [
      .portrait: "normal", .landscapeRight: "90", .portraitUpsideDown: "180", .landscapeLeft: "270",
    ]
    for (device, transform) in expected {
      let interface = try #require(InterfaceOrientation(uprightOn: device))
      #expect(OutputTransform(showing: interface, natural: .portrait).rawValue == transform)
    }
  }

  @Test("on a landscape panel is relative to its upright")
  func landscapePanel() {
    let expected: KeyValuePairs<InterfaceOrientation, String> = [
      .landscapeRight: "normal", .portrait: "90", .landscapeLeft: "180", .portraitUpsideDown: "270",
    ]
    for (interface, transform) in expected {
      #expect(OutputTransform(showing: interface, natural: .landscapeLeft).rawValue == transform)
    }
  }

  // The law: what turns the picture one way makes up for the turn of the panel the other way.
  @Test("makes up for how far the device is turned from its natural orientation", arguments: turns.indices)
  func law(natural: Int) throws {
    let clockwise: [OutputTransform] = [.normal, .threeQuarters, .half, .quarter]
    for turn in turns.indices {
      let interface = turns[(natural + turn) % 4].interface
      #expect(OutputTransform(showing: interface, natural: turns[natural]) == clockwise[turn])
    }
  }

  @Test("of an unknown interface is the panel's own")
  func unknown() {
    for natural in NaturalOrientation.allCases {
      #expect(OutputTransform(showing: .unknown, natural: natural) == .normal)
    }
  }
}
