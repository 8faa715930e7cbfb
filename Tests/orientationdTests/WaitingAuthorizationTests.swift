// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import TestSupport
import Testing

@testable import OrientationService

@Suite("Calls that wait for their authorization")
struct WaitingAuthorizationTests {
  private static let notAuthorized = "org.freedesktop.DBus.Error.AccessDenied"
  private static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
  /// Short, for a polkit that never answers.
  private static let impatience = Authorizer.Patience(withoutUser: 0.2, withUser: 0.2)

  // MARK: A polkit that hangs

  @Test("a polkit that does not answer is a no, and its question is taken back")
  func hung() throws {
    let world = try AuthorizedWorld(.hang, patience: Self.impatience)
    let error = try world.rotate()
    #expect(error?.name == Self.notAuthorized)
    #expect(error?.message.contains("polkit does not answer") == true)
    let asked = try world.polkit.questions.map(\.cancellation)
    try world.rig.turn(until: "the cancellation") { try world.polkit.cancelled == asked }
    #expect(world.rig.carriedOut == [])
  }

  @Test("a question that was not answered in time is asked once more")
  func lost() throws {
    let world = try AuthorizedWorld(.hang, patience: Authorizer.Patience(withoutUser: 5))
    try world.caller.rotate(3)
    try world.turn(untilQuestions: 1)
    try world.polkit.behave(.allow)
    try world.rig.turn(until: "the answer") { !world.caller.answers.isEmpty }
    #expect(world.rig.carriedOut == ["rotate 3"])
    let asked = try world.polkit.questions.map(\.cancellation)
    #expect(Set(asked).count == 2)
    #expect(try world.polkit.cancelled == Array(asked.prefix(1)))
  }

  @Test("a user who may be asked is asked once")
  func lostDialogue() throws {
    let world = try AuthorizedWorld(.hang, patience: Self.impatience)
    try world.caller.rotate(3, interactive: true)
    try world.rig.turn(until: "the answer") { !world.caller.answers.isEmpty }
    #expect(world.caller.answers.map { $0?.name } == [Self.notAuthorized])
    #expect(try world.polkit.questions.count == 1)
  }

  @Test("a caller that leaves while polkit is asked once more has this question taken back, too")
  func goneMeanwhile() throws {
    let world = try AuthorizedWorld(.hang, patience: Authorizer.Patience(withoutUser: 3))
    try world.caller.rotate(3)
    try world.turn(untilQuestions: 2)
    world.caller.bus.close()
    let asked = try world.polkit.questions.map(\.cancellation)
    try world.rig.turn(until: "the cancellations") { try world.polkit.cancelled == asked }
    #expect(Set(asked).count == 2)
  }

  @Test("what is asked once more takes a place of its user's, as the bus counts both questions")
  func lostOften() throws {
    let world = try AuthorizedWorld(.hang, patience: Self.impatience)
    let callers = try (1...2).map { _ in try world.rig.caller() }
    for caller in callers {
      for orientation: UInt32 in 1...8 { try caller.rotate(orientation) }
    }
    try world.rig.turn(until: "all answers") { callers.allSatisfy { $0.answers.count == 8 } }
    #expect((17..<32).contains(try world.polkit.questions.count))
  }

  @Test("a yes that comes too late does nothing")
  func late() throws {
    let world = try AuthorizedWorld(.hang, patience: Self.impatience)
    _ = try world.rotate()
    try world.polkit.allowLastFirst()
    try world.polkit.behave(.allow)
    // Its answer comes behind the late one.
    try world.caller.lock(true)
    try world.rig.turn(until: "the lock") { world.caller.answers.count == 2 }
    #expect(world.rig.carriedOut == ["lock"])
  }

  @Test("a user who may be asked is waited for longer than a program")
  func patienceWithUser() throws {
    let world = try AuthorizedWorld(.hang, patience: Authorizer.Patience(withoutUser: 0.2, withUser: 60))
    try world.caller.rotate(3, interactive: true)
    let other = try world.rig.caller()
    try other.rotate(4)
    try world.rig.turn(until: "the impatient") { !other.answers.isEmpty }
    #expect(world.caller.answers.isEmpty)
    try world.polkit.allowLastFirst()
    try world.rig.turn(until: "the patient") { !world.caller.answers.isEmpty }
    #expect(world.rig.carriedOut == ["rotate 3"])
  }

  @Test("a polkit that ends before it has answered, and is not started again, is a no")
  func ended() throws {
    let world = try AuthorizedWorld(.hang, privilegedUsers: [])
    try world.caller.rotate(3)
    try world.turn(untilQuestions: 1)
    try world.polkit.end()
    try world.rig.turn(until: "the answer") { !world.caller.answers.isEmpty }
    #expect(world.caller.answers.map { $0?.name } == [Self.notAuthorized])
    #expect(world.rig.carriedOut == [])
  }

  @Test("the end of the bus ends what waits, and nothing is done")
  func endOfBus() throws {
    let world = try AuthorizedWorld(.hang)
    for orientation: UInt32 in 1...3 { try world.caller.rotate(orientation) }
    try world.turn(untilQuestions: 3)
    try world.bus.end()
    try world.rig.turn(until: "nothing to wait") { world.rig.authorizer.waitingCounts.calls == 0 }
    #expect(world.rig.carriedOut == [])
  }

  @Test("while polkit hangs, everything else is served")
  func delaysNobody() throws {
    let world = try AuthorizedWorld(.hang)
    try world.caller.rotate(3)
    try world.turn(untilQuestions: 1)
    let other = try world.rig.caller()
    var answered = 0
    for _ in 1...10 {
      try world.caller.askWhetherWaiting { _ in answered += 1 }
      try other.askWhetherWaiting { _ in answered += 1 }
    }
    try world.rig.turn(until: "all other answers") { answered == 20 }
    #expect(world.caller.answers.isEmpty)
  }

  // MARK: Callers that leave

  @Test("a caller that leaves is forgotten at once, with all its calls, and its questions are taken back")
  func gone() throws {
    let world = try AuthorizedWorld(.hang)
    let staying = try world.rig.caller()
    for orientation: UInt32 in 1...3 { try world.caller.rotate(orientation) }
    try world.turn(untilQuestions: 3)
    try staying.rotate(4)
    try world.turn(untilQuestions: 4)
    world.caller.bus.close()
    try world.rig.turn(until: "one call left") { world.rig.authorizer.waitingCounts.calls == 1 }
    let asked = try world.polkit.questions.prefix(3).map(\.cancellation)
    try world.rig.turn(until: "the cancellations") { try world.polkit.cancelled == asked }
    try world.polkit.allowLastFirst()
    try world.rig.turn(until: "the answer to who stayed") { !staying.answers.isEmpty }
    #expect(world.rig.carriedOut == ["rotate 4"])
  }

  @Test("nothing is done for a caller that left just before the yes arrives")
  func goneBeforeAnswer() throws {
    let world = try AuthorizedWorld(.hang)
    let staying = try world.rig.caller()
    try world.caller.rotate(3)
    try world.turn(untilQuestions: 1)
    // Both now wait for the loop, which does not turn: the news that the caller left, and the answer behind it.
    world.caller.bus.close()
    let observer = try Bus.open(.address(world.bus.address))
    let name = world.caller.name
    try wait(for: "the end of the caller") { try !observer.hasConnection(named: name) }
    try world.polkit.allowLastFirst()
    try world.polkit.behave(.allow)
    try staying.rotate(4)
    try world.rig.turn(until: "the answer to who stayed") { !staying.answers.isEmpty }
    #expect(world.rig.carriedOut == ["rotate 4"])
  }

  @Test("a call's resources go with it")
  func nothingLeaks() throws {
    let world = try AuthorizedWorld(.allow)
    weak var request: Canary?
    do {
      let canary = Canary()
      request = canary
      // The service has one object at a path; this one is beside it.
      let slot = try ObjectSlot(
        on: world.rig.connection.bus, path: "/org/example/canary",
        interface: Interface(
          "org.example.Canary", of: canary,
          [
            .method("Sing") { canary, call throws(BusError) in
              try world.rig.authorize(call, .rotate) { _ in canary.sing() }
            }
          ]))
      let call = try world.caller.bus.methodCall(
        destination: world.rig.service, path: "/org/example/canary", interface: "org.example.Canary",
        member: "Sing")
      var isAnswered = false
      try world.caller.bus.callAsync(call) { _ in isAnswered = true }.detach()
      try world.rig.turn(until: "the answer") { isAnswered }
      #expect(canary.hasSung)
      _ = consume slot
    }
    #expect(request == nil)
  }

  // MARK: Order and limits

  @Test("a client's calls are carried out in their order, whatever the order of polkit's answers")
  func order() throws {
    let world = try AuthorizedWorld(.hang)
    try world.caller.rotate(1, interactive: true)
    try world.caller.lock(true)
    try world.caller.rotate(2)
    try world.turn(untilQuestions: 3)
    try world.polkit.allowLastFirst()
    try world.rig.turn(until: "all answers") { world.caller.answers.count == 3 }
    #expect(world.rig.carriedOut == ["rotate 1", "lock", "rotate 2"])
  }

  @Test("a client knows that its call has to wait behind another of its own, but not behind those of others")
  func isWaiting() throws {
    let world = try AuthorizedWorld(.hang)
    let other = try world.rig.caller()
    try world.caller.rotate(3)
    try world.turn(untilQuestions: 1)
    var heard: [Bool] = []
    try world.caller.askWhetherWaiting { heard.append($0) }
    try world.rig.turn(until: "the first answer") { heard.count == 1 }
    try other.askWhetherWaiting { heard.append($0) }
    try world.rig.turn(until: "the second answer") { heard.count == 2 }
    try world.polkit.allowLastFirst()
    try world.rig.turn(until: "the call's answer") { !world.caller.answers.isEmpty }
    try world.caller.askWhetherWaiting { heard.append($0) }
    try world.rig.turn(until: "the third answer") { heard.count == 3 }
    #expect(heard == [true, false, false])
  }

  @Test("the ninth waiting call of a client is refused, and is no burden to others")
  func limitPerClient() throws {
    let world = try AuthorizedWorld(.hang)
    for orientation: UInt32 in 1...9 { try world.caller.rotate(orientation) }
    try world.rig.turn(until: "the refusal") { !world.caller.answers.isEmpty }
    #expect(world.caller.answers.map { $0?.name } == [Self.limitsExceeded])
    let other = try world.rig.caller()
    try other.rotate(9)
    try world.turn(untilQuestions: 9)
    try world.polkit.allowLastFirst()
    try world.rig.turn(until: "all answers") { world.caller.answers.count == 9 && other.answers.count == 1 }
    #expect(world.rig.carriedOut.count == 9)
    #expect(world.rig.authorizer.waitingCounts.calls == 0)
    #expect(other.answers == [nil])
  }

  @Test(
    "the seventeenth waiting call of a user is refused; those that leave make room once polkit has answered")
  func limitOfUser() throws {
    let world = try AuthorizedWorld(.hang)
    let callers = try (1...2).map { _ in try world.rig.caller() }
    for caller in callers {
      for orientation: UInt32 in 1...8 { try caller.rotate(orientation) }
    }
    try world.turn(untilQuestions: 16)
    let error = try world.rotate()
    #expect(error?.name == Self.limitsExceeded)
    #expect(error?.message.contains("16 calls of this user") == true)
    callers[0].bus.close()
    try world.rig.turn(until: "8 to have left") { world.rig.authorizer.waitingCounts == (8, 8) }
    // Until polkit has answered, the questions count as the user's, who could else leave and ask again without end.
    #expect(try world.rotate()?.name == Self.limitsExceeded)
    try world.polkit.allowLastFirst()
    try world.rig.turn(until: "room") { world.rig.authorizer.waitingCounts == (0, 0) }
    #expect(world.rig.carriedOut.count == 8)
    try world.polkit.behave(.allow)
    #expect(try world.rotate() == nil)
  }

  @Test("a call that is decided and waits for an earlier one of its client takes no other client's place")
  func decided() throws {
    let world = try AuthorizedWorld(.hang)
    let patient = try world.rig.caller()
    try patient.rotate(1, interactive: true)
    try world.turn(untilQuestions: 1)
    try world.polkit.behave(.allow)
    for orientation: UInt32 in 2...8 { try patient.rotate(orientation) }
    try world.turn(untilQuestions: 8)
    try world.polkit.behave(.hang)
    let others = try (1...2).map { _ in try world.rig.caller() }
    for orientation: UInt32 in 1...8 { try others[0].rotate(orientation) }
    for orientation: UInt32 in 1...7 { try others[1].rotate(orientation) }
    try world.turn(untilQuestions: 23)
    #expect(world.rig.authorizer.waitingCounts.calls == 23)
    #expect(try world.rotate()?.name == Self.limitsExceeded)
    #expect(others.allSatisfy { $0.answers.isEmpty } && patient.answers.isEmpty)
  }

  @Test("half of a user's room is kept for calls that need nobody: the others are asked about without")
  func interactiveLimit() throws {
    let world = try AuthorizedWorld(.hang)
    let caller = try world.rig.caller()
    for orientation: UInt32 in 1...8 { try caller.rotate(orientation, interactive: true) }
    try world.turn(untilQuestions: 8)
    try world.polkit.behave(.allow)
    #expect(try world.rotate(interactive: true) == nil)
    try world.polkit.behave(.challenge)
    #expect(try world.rotate(interactive: true)?.name == Self.limitsExceeded)
    #expect(try world.polkit.questions.suffix(2).map(\.flags) == ["0", "0"])
  }
}

extension Bus {
  /// Whether a connection is still on the bus.
  fileprivate func hasConnection(named uniqueName: String) throws(BusError) -> Bool {
    let call = try methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "NameHasOwner")
    try call.append(uniqueName)
    return try self.call(call).readBool()
  }
}

/// Lives as long as what captured it.
private final class Canary {
  private(set) var hasSung = false

  func sing() { hasSung = true }
}
