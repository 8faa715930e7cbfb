// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("A hold of the interface's orientations")
struct HoldTests {
  private static let unsupported = "org.orientationd1.Error.UnsupportedOrientation"

  @Test("moves the interface, is seen by all, and its release moves it back")
  func releases() throws {
    let tablet = try Tablet.generating()
    let hold = try tablet.client.hold(24)
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard == [
        .screenChanged([
          "InterfaceOrientation": 4, "InterfaceOrientationName": "landscapeLeft", "Transform": "90",
          "SuggestedInterfaceOrientation": 4, "EffectiveInterfaceOrientations": 24,
          "InterfaceOrientationHolds": .holds(["\(hold) 24 org.example.Player plays a film"]),
        ]),
        .interface(4, "landscapeLeft", previous: 1),
      ])
    #expect(try tablet.client.property("SupportedInterfaceOrientations") == 30)
    try tablet.client.release(hold)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
  }

  @Test(
    "ends with its client, killed or not, and the one before it counts again", arguments: [SIGTERM, SIGKILL])
  func endsWithClient(signal: CInt) throws {
    let tablet = try Tablet.generating()
    _ = try tablet.client.hold(8)
    let helper = try ClientHelper(["hold", "4"], on: tablet.rig.bus)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portraitUpsideDown")
    kill(helper.id, signal)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
  }

  @Test("with options of a later version, a list of strings among them, is as without")
  func unknownOptions() throws {
    let tablet = try Tablet.generating()
    let hold = try tablet.client.hold(24) { options throws(BusError) in
      try options.appendEntry("windows", ["first", "second"])
      try options.appendEntry("priority", UInt32(1))
    }
    let holds = try tablet.client.property("InterfaceOrientationHolds")
    #expect(holds == .holds(["\(hold) 24 org.example.Player plays a film"]))
  }

  @Test("of another client, and one that was released, cannot be released")
  func foreign() throws {
    let tablet = try Tablet.generating()
    let hold = try tablet.client.hold(24)
    let other = try Client(on: tablet.rig.bus)
    for number in [hold, 0, .max] {
      let error = #expect(throws: BusError.self) { try other.release(number) }
      #expect(error?.name == "org.orientationd1.Error.NoSuchHold")
    }
    try tablet.client.release(hold)
    let error = #expect(throws: BusError.self) { try tablet.client.release(hold) }
    #expect(error?.name == "org.orientationd1.Error.NoSuchHold")
  }

  @Test("with a mask, an application or a reason that is none is refused, and nothing has changed")
  func refused() throws {
    let tablet = try Tablet.generating()
    let before = try tablet.client.properties(of: Daemon.screenInterface)
    let long = String(repeating: "a", count: 256)
    for (mask, application, reason, name) in [
      (0, "a", "b", BusError.Name.invalidArguments), (24, "a\nb", "b", BusError.Name.invalidArguments),
      (24, "a", "\u{1b}[2J", BusError.Name.invalidArguments),
      (24, "", "b", BusError.Name.invalidArguments), (24, "a", "", BusError.Name.invalidArguments),
      (24, long, "b", BusError.Name.invalidArguments), (24, "a", long, BusError.Name.invalidArguments),
      (24, String(repeating: "é", count: 65536), "b", BusError.Name.invalidArguments),
    ] as [(UInt32, String, String, String)] {
      let error = #expect(throws: BusError.self) {
        _ = try tablet.client.hold(mask, application: application, reason: reason)
      }
      #expect(error?.name == name, "\(mask), \(application.prefix(3)), \(reason.prefix(3))")
    }
    _ = try tablet.client.release(try tablet.client.hold(30, application: String(long.dropLast())))
    #expect(try tablet.client.properties(of: Daemon.screenInterface) == before)
  }

  @Test("that has none of the supported orientations waits, from its beginning or from when that is so")
  func waits() throws {
    for isEarlier in [true, false] {
      let tablet = try Tablet.generating()
      if isEarlier { try tablet.client.support(2) }
      let hold = try tablet.client.hold(24)
      if !isEarlier { try tablet.client.support(2) }
      #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
      #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 2)
      let listed = "\(hold) 24 org.example.Player plays a film"
      #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds(["\(listed) (waits)"]))
      try tablet.client.support(30)
      #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
      #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([listed]))
    }
  }

  @Test(
    "that has ended has decided on the interface, also on a tablet that lies flat; and so has a set without its orientation"
  )
  func decides() throws {
    for isHeld in [true, false] {
      let tablet = try Tablet()
      tablet.hold(.faceUp)
      try tablet.client.begin()
      try tablet.client.wait(for: "OrientationName", toBe: "faceUp")
      #expect(try tablet.client.property("InterfaceOrientationIsDecided") == false)
      if isHeld {
        try tablet.client.release(try tablet.client.hold(24))
      } else {
        try tablet.client.support(24)
        #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
      }
      #expect(try tablet.client.property("InterfaceOrientationIsDecided") == true)
    }
  }

  @Test("of one orientation need not wait for the device")
  func needNotWait() throws {
    let tablet = try Tablet()
    try tablet.client.begin()
    _ = try tablet.client.hold(16)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
  }

  @Test("that comes with the first Begin waits for the orientation, so that the interface turns once")
  func firstDecision() throws {
    for orientation in [DeviceOrientation.landscapeLeft, .landscapeRight, .faceUp] {
      let tablet = try Tablet()
      tablet.hold(orientation)
      try tablet.client.forget()
      try tablet.client.begin()
      _ = try tablet.client.hold(24)
      try tablet.client.wait(for: "the turn") {
        tablet.client.heard.contains { if case .interface = $0 { true } else { false } }
      }
      try tablet.client.wait(for: "OrientationName", toBe: .text(orientation.name))
      try tablet.client.catchUp()
      let upright: UInt32 = orientation == .landscapeLeft ? 3 : 4
      let turns = tablet.client.heard.filter { if case .interface = $0 { true } else { false } }
      #expect(turns == [.interface(upright, upright == 3 ? "landscapeRight" : "landscapeLeft", previous: 1)])
      #expect(tablet.client.heardOfDecision == [true])
    }
  }

  @Test("over the lock moves the interface, and its end leads back to what was locked")
  func overLock() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    let hold = try tablet.client.hold(24)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    #expect(try tablet.client.property("RotationLocked") == true)
    try tablet.client.release(hold)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test("over the lock, of a tablet that was turned meanwhile, shows the picture upright")
  func overLockTurned() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.turnUnheard(to: .landscapeLeft)
    _ = try tablet.client.hold(24)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
  }

  @Test("that ends gives the one before its orientation back")
  func stacked() throws {
    let tablet = try Tablet.generating()
    _ = try tablet.client.hold(24)
    try tablet.turn(to: .landscapeLeft)
    try tablet.turn(to: .portrait)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    let newer = try tablet.client.hold(2)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.client.release(newer)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
  }

  @Test("shows what a person may choose for the time after it, too")
  func chosenUnderHold() throws {
    let tablet = try Tablet.generating()
    let hold = try tablet.client.hold(16)
    try tablet.client.rotate(to: 4)
    try tablet.client.release(hold)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
  }

  @Test("keeps a rotation by hand within it, with an error that says what is possible")
  func byHand() throws {
    let tablet = try Tablet.generating()
    _ = try tablet.client.hold(24)
    let error = #expect(throws: BusError.self) { try tablet.client.rotate(to: 1) }
    #expect(error?.name == Self.unsupported)
    #expect(
      error?.message == "An app holds the interface to landscapeRight, landscapeLeft;"
        + " InterfaceOrientationHolds says which app.")
    try tablet.client.rotate(to: 3)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
  }

  @Test("of a client that has 8, and of a user that has 32, is refused; who releases makes room")
  func limits() throws {
    let tablet = try Tablet.generating()
    var holds: [UInt32] = []
    for _ in 0..<8 { holds.append(try tablet.client.hold(24)) }
    let error = #expect(throws: BusError.self) { _ = try tablet.client.hold(24) }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    var others: [Client] = []
    for _ in 0..<3 {
      let other = try Client(on: tablet.rig.bus)
      for _ in 0..<8 { _ = try other.hold(24) }
      others.append(other)
    }
    let last = try Client(on: tablet.rig.bus)
    #expect(throws: BusError.self) { _ = try last.hold(24) }
    try tablet.client.release(holds[0])
    #expect(try last.hold(24) > holds[7])
    _ = others
  }
}

@Suite("What a desktop asks of the screen")
struct ScreenQuestionTests {
  @Test(
    "whether a client may lock and rotate is answered without asking its user",
    arguments: [(MockPolkit.Behaviour.allow, "yes"), (.deny, "no"), (.challenge, "challenge")])
  func can(behaviour: MockPolkit.Behaviour, answer: String) throws {
    let tablet = try GuardedTablet(behaviour)
    for method in ["CanSetRotationLock", "CanRotate"] {
      #expect(try tablet.client.call(method, of: Daemon.screenInterface).readString() == answer)
    }
    let actions = ["org.orientationd1.set-rotation-lock", "org.orientationd1.rotate"]
    #expect(try tablet.polkit.questions.map { $0.action } == actions)
    try tablet.client.catchUp()
    #expect(tablet.client.heard.isEmpty)
  }

  @Test("the lock is toggled, and the answer is what it is now")
  func toggles() throws {
    let tablet = try Tablet.generating()
    for isLocked in [true, false, true] {
      #expect(try tablet.client.call("ToggleRotationLock", of: Daemon.screenInterface).readBool() == isLocked)
      #expect(try tablet.client.property("RotationLocked") == .boolean(isLocked))
    }
  }

  @Test("an attempt to rotate answers the orientation afterwards")
  func attempts() throws {
    let tablet = try Tablet.generating()
    try tablet.client.rotate(to: 3)
    let method = "RotateToDevice"
    #expect(try tablet.client.call(method, of: Daemon.screenInterface).readUInt32() == 1)
    #expect(try tablet.client.call(method, of: Daemon.screenInterface).readUInt32() == 1)
    try tablet.client.rotate(to: 3)
    try tablet.client.lock()
    #expect(try tablet.client.call(method, of: Daemon.screenInterface).readUInt32() == 3)
  }

  @Test("locked, what the interface would take unlocked is suggested, and unlocked it takes it")
  func suggests() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.turnUnheard(to: .landscapeLeft)
    try tablet.client.wait(for: "SuggestedInterfaceOrientation", toBe: 3)
    #expect(try tablet.client.property("InterfaceOrientation") == 1)
    try tablet.client.lock(false)
    #expect(try tablet.client.property("InterfaceOrientation") == 3)
    #expect(try tablet.client.property("SuggestedInterfaceOrientation") == 3)
  }
}
