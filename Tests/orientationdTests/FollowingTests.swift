// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import Testing

/// What is told when the device goes to an orientation and the interface with it.
private func follow(
  _ device: DeviceOrientation, interface: InterfaceOrientation, transform: String,
  previous: InterfaceOrientation
) -> [Announcement] {
  [
    .changed(["Orientation": .number(device.rawValue), "OrientationName": .text(device.name)]),
    .screenChanged([
      "InterfaceOrientation": .number(interface.rawValue), "InterfaceOrientationName": .text(interface.name),
      "Transform": .text(transform), "SuggestedInterfaceOrientation": .number(interface.rawValue),
    ]),
    .orientation(device.rawValue, device.name),
    .interface(interface.rawValue, interface.name, previous: previous.rawValue),
  ]
}

@Suite("Following")
struct FollowingTests {
  @Test("the interface takes the counterpart of the device's upright orientation, and flat leaves it alone")
  func counterparts() throws {
    let tablet = try Tablet.generating()
    var previous = InterfaceOrientation.portrait
    for (device, interface, transform) in [
      (.landscapeLeft, .landscapeRight, "270"), (.portraitUpsideDown, .portraitUpsideDown, "180"),
      (.landscapeRight, .landscapeLeft, "90"), (.portrait, .portrait, "normal"),
    ] as [(DeviceOrientation, InterfaceOrientation, String)] {
      try tablet.client.forget()
      try tablet.turn(to: device)
      #expect(
        tablet.client.heard
          == follow(device, interface: interface, transform: transform, previous: previous))
      previous = interface
      try tablet.client.forget()
      try tablet.turn(to: .faceUp)
      #expect(
        tablet.client.heard == [
          .changed(["Orientation": 5, "OrientationName": "faceUp"]), .orientation(5, "faceUp"),
        ])
    }
  }

  @Test("an orientation that is not supported is not followed")
  func unsupported() throws {
    let tablet = try Tablet.generating()
    try tablet.client.support(26)
    try tablet.turn(to: .portraitUpsideDown)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test("an empty mask is refused with UnsupportedOrientation, and nothing has changed")
  func emptyMask() throws {
    let tablet = try Tablet.generating()
    let before = try tablet.client.properties(of: Daemon.screenInterface)
    let error = #expect(throws: BusError.self) { try tablet.client.support(0) }
    #expect(error?.name == BusError.Name.invalidArguments)
    try tablet.client.catchUp()
    #expect(tablet.client.heard.isEmpty)
    #expect(try tablet.client.properties(of: Daemon.screenInterface) == before)
  }

  @Test("a mask that lacks the current orientation moves the interface to the first supported")
  func missingCurrent() throws {
    let tablet = try Tablet.generating()
    try tablet.client.support(24)
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard == [
        .screenChanged([
          "SupportedInterfaceOrientations": 24, "EffectiveInterfaceOrientations": 24,
          "InterfaceOrientation": 4,
          "InterfaceOrientationName": "landscapeLeft", "SuggestedInterfaceOrientation": 4,
          "Transform": "90",
        ]),
        .interface(4, "landscapeLeft", previous: 1),
      ])
    try tablet.client.support(12)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    try tablet.client.support(4)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portraitUpsideDown")
  }

  @Test(
    "numbers and names that are no orientation are refused by words, and nothing has changed")
  func invalid() throws {
    let tablet = try Tablet.generating()
    for wrong in [0, 5, 6, 0xffff_ffff] as [UInt32] {
      let error = #expect(throws: BusError.self) { try tablet.client.rotate(to: wrong) }
      #expect(error?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }
    for wrong in ["", "4", "unknown", "faceUp", "Portrait", "portrait "] {
      let error = #expect(throws: BusError.self) {
        try tablet.client.call("SetSupportedInterfaceOrientations", of: Daemon.screenInterface) {
          message throws(BusError) in try message.append(["portrait", wrong])
        }
      }
      #expect(error?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }
    try tablet.client.support(26)
    let error = #expect(throws: BusError.self) { try tablet.client.rotate(to: 2) }
    #expect(error?.name == "org.orientationd1.Error.UnsupportedOrientation")
    let changes = "SetSupportedInterfaceOrientations (orientationctl supported) changes that."
    #expect(
      error?.message
        == "Supported now: portrait, landscapeRight, landscapeLeft. \(changes)"
    )
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test(
    "an attempt to rotate takes the device's orientation after a rotation by hand; locked, it does nothing")
  func attempt() throws {
    let tablet = try Tablet.generating()
    try tablet.client.rotate(to: 3)
    try tablet.client.attemptRotation()
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.client.rotate(to: 3)
    try tablet.client.lock()
    try tablet.client.attemptRotation()
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
  }

  @Test("a rotation by hand holds while clients come and go, until the tablet is turned")
  func manualHolds() throws {
    let tablet = try Tablet.generating()
    try tablet.client.rotate(to: 3)
    try tablet.client.end()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    try tablet.turn(to: .landscapeRight)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
  }

  @Test("at the first start the interface has the natural orientation, and follows the first upright one")
  func naturalStart() throws {
    let tablet = try Tablet(configuration: "NaturalOrientation=portrait")
    tablet.hold(.landscapeLeft)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.client.begin()
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
  }

  @Test(
    "InitialInterfaceOrientation= is not overridden by how the tablet happens to lie then, but by its next turn"
  )
  func initial() throws {
    let tablet = try Tablet.generating(configuration: "InitialInterfaceOrientation=landscapeLeft")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    #expect(try tablet.client.property("Transform") == "90")
    try tablet.turn(to: .landscapeLeft)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
  }
}
