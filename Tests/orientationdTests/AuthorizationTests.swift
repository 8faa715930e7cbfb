// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import Systemd
import TestSupport
import Testing

/// A tablet whose polkit a test commands; what authorizes how, is tested in ``AuthorizerTests``.
final class GuardedTablet {
  let bus: PrivateBus
  let polkit: MockPolkit
  let tablet: Tablet

  var client: Client { tablet.client }

  init(_ behaviour: MockPolkit.Behaviour) throws {
    bus = try PrivateBus()
    polkit = try MockPolkit(on: bus, behaviour)
    tablet = try Tablet(bus: bus)
    try client.begin()
    try client.wait(for: "OrientationName", toBe: "portrait")
    try client.forget()
  }

  /// Locks without waiting for the answer, of which the error's name is given: "" for none.
  func lockLater(_ isLocked: Bool, from client: Client, answer: @escaping (String) -> Void = { _ in }) throws
  {
    let call = try client.bus.daemonCall("SetRotationLock", of: Daemon.screenInterface)
    try call.append(isLocked)
    try client.bus.callAsync(call, timeoutSeconds: 60) { answer($0.error?.name ?? "") }.detach()
  }

  func waitForQuestions(_ count: Int) throws {
    try client.wait(for: "\(count) questions") { try polkit.questions.count == count }
  }
}

@Suite("Who may change the screen")
struct AuthorizationTests {
  private static let calls: [(action: String, call: @Sendable (Client) throws(BusError) -> Void)] = [
    ("org.orientationd1.set-rotation-lock", { client throws(BusError) in try client.lock() }),
    ("org.orientationd1.rotate", { client throws(BusError) in try client.rotate(to: 3) }),
    ("org.orientationd1.rotate", { client throws(BusError) in try client.support(24) }),
    ("org.orientationd1.hold-orientation", { client throws(BusError) in _ = try client.hold(24) }),
    (
      "org.orientationd1.set-mount-matrix",
      { client throws(BusError) in try client.setMountMatrix("0, 1, 0; 1, 0, 0; 0, 0, 1") }
    ),
  ]

  @Test("each method asks polkit about its caller and its action, once", arguments: calls.indices)
  func asks(index: Int) throws {
    let tablet = try GuardedTablet(.allow)
    try Self.calls[index].call(tablet.client)
    let questions = try tablet.polkit.questions
    #expect(questions.map { $0.action } == [Self.calls[index].action])
    #expect(questions.first?.subjectKind == "system-bus-name")
    #expect(questions.first?.subjectName == (try tablet.client.bus.uniqueName))
    try tablet.client.catchUp()
    #expect(!tablet.client.heard.isEmpty)
  }

  @Test("gravity is told to who may know it; the orientation to everybody")
  func gravity() throws {
    let tablet = try GuardedTablet(.deny)
    let error = #expect(throws: BusError.self) { try tablet.client.gravity() }
    #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
    #expect(try tablet.client.getOrientation() == .portrait)
    #expect(try tablet.polkit.questions.map { $0.action } == ["org.orientationd1.motion"])
    try tablet.polkit.behave(.allow)
    #expect(try tablet.client.gravity()[1] > 9)
    try tablet.client.catchUp()
    #expect(tablet.client.heard.isEmpty)
  }

  @Test(
    "denied, challenged, or answered with what is no answer, the call fails and nothing has changed",
    arguments: [
      (.deny, "org.freedesktop.DBus.Error.AccessDenied"),
      (.challenge, "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"),
      (.malformed("a string"), "org.freedesktop.DBus.Error.AccessDenied"),
      (.error("org.freedesktop.DBus.Error.Failed"), "org.freedesktop.DBus.Error.AccessDenied"),
    ] as [(MockPolkit.Behaviour, String)])
  func refused(behaviour: MockPolkit.Behaviour, name: String) throws {
    let tablet = try GuardedTablet(behaviour)
    let before = try tablet.client.properties(of: Daemon.screenInterface)
    for (_, call) in Self.calls {
      let error = #expect(throws: BusError.self) { try call(tablet.client) }
      #expect(error?.name == name)
    }
    #expect(try tablet.client.properties(of: Daemon.screenInterface) == before)
    try tablet.client.catchUp()
    #expect(tablet.client.heard.isEmpty)
  }

  @Test(
    "a call that changes nothing needs no permission, one that cannot be done is refused before anybody is asked"
  )
  func unasked() throws {
    let tablet = try GuardedTablet(.deny)
    try tablet.client.lock(false)
    try tablet.client.rotate(to: 1)
    try tablet.client.attemptRotation()
    try tablet.client.support(30)
    #expect(throws: BusError.self) { try tablet.client.rotate(to: 9) }
    #expect(throws: BusError.self) { try tablet.client.support(0) }
    #expect(try tablet.polkit.questions.isEmpty)
  }

  @Test("polkit that hangs delays nobody else, and is a no in the end")
  func hung() throws {
    let tablet = try GuardedTablet(.hang)
    var answer: String?
    try tablet.lockLater(true, from: tablet.client) { answer = $0 }
    try tablet.waitForQuestions(1)
    let other = try Client(on: tablet.bus)
    #expect(try other.getOrientation() == .portrait)
    #expect(try other.property("RotationLocked") == false)
    try tablet.tablet.turn(to: .landscapeLeft)
    #expect(answer == nil)
    try tablet.client.wait(for: "the end of the daemon's patience") { answer != nil }
    #expect(answer == "org.freedesktop.DBus.Error.AccessDenied")
    #expect(try tablet.client.property("RotationLocked") == false)
    #expect(try tablet.polkit.cancelled.count == 2)
  }

  @Test("of a caller that is gone before the answer nothing is done")
  func gone() throws {
    let tablet = try GuardedTablet(.hang)
    do {
      let caller = try Client(on: tablet.bus)
      try tablet.lockLater(true, from: caller)
      try tablet.waitForQuestions(1)
    }
    try tablet.client.wait(for: "the question to be taken back") { try tablet.polkit.cancelled.count == 1 }
    try tablet.polkit.allowLastFirst()
    try tablet.client.spend(seconds: 0.2)
    #expect(try tablet.client.property("RotationLocked") == false)
  }

  @Test("a client's calls take effect in their order, in which polkit need not answer")
  func order() throws {
    let tablet = try GuardedTablet(.hang)
    var answers: [String] = []
    for isLocked in [true, false, true, false] {
      try tablet.lockLater(isLocked, from: tablet.client) { answers.append($0) }
    }
    try tablet.waitForQuestions(4)
    try tablet.polkit.allowLastFirst()
    try tablet.client.wait(for: "four answers") { answers.count == 4 }
    #expect(answers.allSatisfy { $0.isEmpty }, "\(answers)")
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard
        == [true, false, true, false].map { .screenChanged(["RotationLocked": .boolean($0)]) })
  }
}
