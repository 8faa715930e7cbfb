// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import TestSupport
import Testing

@testable import OrientationService

@Suite("The authorization of calls")
struct AuthorizerTests {
  private static let notAuthorized = "org.freedesktop.DBus.Error.AccessDenied"
  private static let interactionRequired = BusError.Name.interactiveAuthorizationRequired

  // MARK: What polkit is asked, and what follows from its answer

  @Test("what polkit allows is carried out with its arguments, and answered with an empty reply")
  func authorized() throws {
    let world = try AuthorizedWorld(.allow)
    #expect(try world.rotate() == nil)
    #expect(world.rig.carriedOut == ["rotate 3"])
    #expect(world.rig.authorizer.waitingCounts.calls == 0)
  }

  @Test("polkit is asked about the caller's connection, and about the action that the method needs")
  func question() throws {
    let world = try AuthorizedWorld(.allow)
    _ = try world.rotate()
    try world.caller.lock(true)
    try world.rig.turn(until: "both") { world.caller.answers.count == 2 }
    let questions = try world.polkit.questions
    #expect(questions.map(\.subjectKind) == ["system-bus-name", "system-bus-name"])
    #expect(questions.map(\.subjectName) == [world.caller.name, world.caller.name])
    #expect(questions.map(\.action) == ["org.orientationd1.rotate", "org.orientationd1.set-rotation-lock"])
    #expect(questions.map(\.detailCount) == ["0", "0"])
    #expect(questions[0].cancellation != questions[1].cancellation)
    #expect(!questions[0].cancellation.isEmpty)
  }

  @Test("the user may be asked only where the caller allows it")
  func interaction() throws {
    let world = try AuthorizedWorld(.allow)
    _ = try world.rotate(interactive: false)
    _ = try world.rotate(interactive: true)
    #expect(try world.polkit.questions.map(\.flags) == ["0", "1"])
  }

  @Test("what carrying out throws is the caller's answer")
  func actThrows() throws {
    let world = try AuthorizedWorld(.allow)
    try world.caller.lock(false)
    try world.rig.turn(until: "the answer") { !world.caller.answers.isEmpty }
    #expect(world.caller.answers == [AuthorizerRig.refusal])
  }

  @Test("denied, nothing is done, and the caller hears what would allow it")
  func denied() throws {
    let world = try AuthorizedWorld(.deny)
    let error = try world.rotate()
    #expect(error?.name == Self.notAuthorized)
    #expect(error?.message.contains("active local session") == true)
    #expect(error?.message.contains("administrator") == true)
    #expect(world.rig.carriedOut == [])
    #expect(world.rig.authorizer.waitingCounts.calls == 0)
  }

  @Test("a caller that does not let the user be asked hears by the standard error that it has to")
  func challenge() throws {
    let world = try AuthorizedWorld(.challenge)
    #expect(try world.rotate(interactive: false)?.name == Self.interactionRequired)
    #expect(world.rig.carriedOut == [])
  }

  @Test("a user who does not authenticate is not authorized")
  func dismissed() throws {
    let world = try AuthorizedWorld(.challenge)
    #expect(try world.rotate(interactive: true)?.name == Self.notAuthorized)
    #expect(world.rig.carriedOut == [])
  }

  @Test(
    "an answer that is none is a no",
    arguments: ["a string", "a boolean", "without details", "numbers", "too much", "nothing"])
  func malformed(how: String) throws {
    let world = try AuthorizedWorld(.malformed(how))
    let error = try world.rotate()
    #expect(error?.name == Self.notAuthorized)
    #expect(error?.message.contains("understood") == true)
    #expect(world.rig.carriedOut == [])
  }

  @Test("an error of polkit's is a no, and the caller hears which, also where it is root")
  func failed() throws {
    let world = try AuthorizedWorld(.error("org.freedesktop.PolicyKit1.Error.Failed"))
    let error = try world.rotate()
    #expect(error?.name == Self.notAuthorized)
    #expect(error?.message.contains("org.freedesktop.PolicyKit1.Error.Failed") == true)
    #expect(world.rig.carriedOut == [])
  }

  // MARK: Without polkit

  @Test("without polkit on the bus, the daemon's own user may")
  func absentForOwnUser() throws {
    let rig = try AuthorizerRig(on: PrivateBus())
    let caller = try rig.caller()
    try caller.rotate(3)
    try rig.turn(until: "the answer") { !caller.answers.isEmpty }
    #expect(caller.answers == [nil])
    #expect(rig.carriedOut == ["rotate 3"])
  }

  @Test("without polkit on the bus, nobody else may, and hears that polkit is missing")
  func absentForOthers() throws {
    let rig = try AuthorizerRig(on: PrivateBus(), privilegedUsers: [])
    let caller = try rig.caller()
    try caller.rotate(3)
    try rig.turn(until: "the answer") { !caller.answers.isEmpty }
    #expect(caller.answers.map { $0?.name } == [Self.notAuthorized])
    #expect(caller.answers[0]?.message.contains("There is no polkit") == true)
    #expect(rig.carriedOut == [])
  }

  @Test("a polkit that the bus starts in vain is none")
  func cannotBeStarted() throws {
    let bus = try PrivateBus(activating: ["org.freedesktop.PolicyKit1": "/bin/false"])
    for (users, names) in [([0, geteuid()], [nil]), ([], [Self.notAuthorized])] {
      let rig = try AuthorizerRig(on: bus, privilegedUsers: users)
      let caller = try rig.caller()
      try caller.rotate(3)
      try rig.turn(until: "the answer") { !caller.answers.isEmpty }
      #expect(caller.answers.map { $0?.name } == names)
    }
  }

  @Test(
    "what buses and systemd say where polkit cannot be started is that there is none",
    arguments: [
      "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
      "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.UnitMasked",
    ])
  func absentByOtherNames(name: String) throws {
    let world = try AuthorizedWorld(.error(name))
    #expect(try world.rotate() == nil)
  }
}
