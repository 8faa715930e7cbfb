// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import Testing

@Suite("The lock")
struct RotationLockTests {
  @Test("locked, a rotation is not announced whatever the tablet does; unlocked, exactly one is")
  func exactlyOne() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.client.catchUp()
    #expect(tablet.client.heard == [.screenChanged(["RotationLocked": true])])
    try tablet.client.forget()
    for orientation in [.landscapeLeft, .faceUp, .portraitUpsideDown, .landscapeRight] as [DeviceOrientation]
    {
      try tablet.turnUnheard(to: orientation)
    }
    // What unlocking would bring, which a desktop may offer: flat, the interface would stay as it is.
    let suggestions = [3, 1, 2, 4] as [Value]
    #expect(
      tablet.client.heard == suggestions.map { .screenChanged(["SuggestedInterfaceOrientation": $0]) })
    try tablet.client.forget()
    #expect(try tablet.client.property("OrientationName") == "portrait")
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.client.lock(false)
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard == [
        .changed(["Orientation": 4, "OrientationName": "landscapeRight"]),
        .screenChanged([
          "RotationLocked": false, "InterfaceOrientation": 4, "InterfaceOrientationName": "landscapeLeft",
          "Transform": "90",
        ]),
        .orientation(4, "landscapeRight"), .interface(4, "landscapeLeft", previous: 1),
      ])
  }

  @Test("unlocked where the tablet was when it was locked, none is announced")
  func none() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.turnUnheard(to: .landscapeLeft)
    try tablet.turnUnheard(to: .portrait)
    try tablet.client.forget()
    try tablet.client.lock(false)
    try tablet.client.catchUp()
    #expect(tablet.client.heard == [.screenChanged(["RotationLocked": false])])
  }

  @Test("it holds the orientation also when the last client ends, the sensor fails, and clients come back")
  func whateverHappens() throws {
    let tablet = try Tablet.generating()
    try tablet.turn(to: .landscapeLeft)
    try tablet.client.lock()
    try tablet.client.forget()
    try tablet.client.end()
    #expect(try tablet.client.property("OrientationName") == "unknown")
    try tablet.client.begin()
    try tablet.client.catchUp()
    #expect(tablet.client.heard.contains(.orientation(3, "landscapeLeft")), "\(tablet.client.heard)")
    try tablet.client.forget()
    try tablet.turnUnheard(to: .portrait)
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "broken")
    try tablet.client.wait(for: "SensorStatus", toBe: "failed")
    try tablet.client.catchUp()
    let told = tablet.client.heard.contains {
      switch $0 {
      case .orientation, .interface: true
      case .screenChanged(let values): values.keys.contains { $0 != "SuggestedInterfaceOrientation" }
      case .changed(let values): values.keys.contains("Orientation")
      }
    }
    #expect(!told, "\(tablet.client.heard)")
    #expect(try tablet.client.property("OrientationName") == "landscapeLeft")
    #expect(try tablet.client.getOrientation() == .landscapeLeft)
  }

  @Test("taken in landscape it stays in landscape")
  func landscape() throws {
    let tablet = try Tablet.generating()
    try tablet.turn(to: .landscapeLeft)
    try tablet.client.lock()
    try tablet.turnUnheard(to: .portrait)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    #expect(try tablet.client.property("OrientationName") == "landscapeLeft")
  }

  @Test("manual rotation works while it is on")
  func manualRotation() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.client.forget()
    try tablet.client.rotate(to: 3)
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard == [
        .screenChanged([
          "InterfaceOrientation": 3, "InterfaceOrientationName": "landscapeRight", "Transform": "270",
        ]),
        .interface(3, "landscapeRight", previous: 1),
      ])
    try tablet.client.rotate(to: 1)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test("manual rotation to where the device is already, after it went elsewhere and back, takes one call")
  func knownBug() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.client.rotate(to: 4)
    try tablet.turnUnheard(to: .landscapeRight)
    try tablet.turnUnheard(to: .portrait)
    try tablet.client.forget()
    try tablet.client.rotate(to: 1)
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard == [
        .screenChanged([
          "InterfaceOrientation": 1, "InterfaceOrientationName": "portrait", "Transform": "normal",
        ]),
        .interface(1, "portrait", previous: 4),
      ])
  }

  @Test("set to what it is, nothing is announced")
  func unchanged() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock(false)
    try tablet.client.lock()
    try tablet.client.lock()
    try tablet.client.catchUp()
    #expect(tablet.client.heard == [.screenChanged(["RotationLocked": true])])
  }

  @Test(
    "while it has nothing to hold, a question is answered by the sensor, and the answer is held from then on")
  func lockedBeforeAnything() throws {
    let tablet = try Tablet()
    try tablet.client.lock()
    #expect(try tablet.client.getOrientation() == .portrait)
    #expect(try tablet.client.property("OrientationName") == "unknown")
    tablet.hold(.landscapeLeft)
    #expect(try tablet.client.getOrientation() == .portrait)
    try tablet.client.begin()
    #expect(try tablet.client.property("OrientationName") == "portrait")
  }

  @Test("while it has nothing to hold, the first orientation is announced and held, and later ones are not")
  func firstIsHeld() throws {
    let tablet = try Tablet()
    try tablet.client.lock()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.catchUp()
    #expect(tablet.client.heard.contains(.orientation(1, "portrait")), "\(tablet.client.heard)")
    try tablet.turnUnheard(to: .landscapeLeft)
    #expect(try tablet.client.property("OrientationName") == "portrait")
    try tablet.client.lock(false)
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
  }
}
