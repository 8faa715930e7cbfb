// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

/// A bus with the list of clients on it, all turned by the test, so that it decides what the service reads before what.
private final class ClientsRig {
  let bus: PrivateBus
  let connection: Connection
  let name: String
  private(set) var changes: [String] = []
  let clients: Clients
  private let callers: Callers
  private var object: ObjectSlot?

  init(
    _ limits: ClientLimits, counting: Clients.Counting = .nested, auditSeconds: Double = Callers.auditSeconds
  ) throws {
    bus = try PrivateBus()
    connection = try Connection(to: .address(bus.address))
    name = try connection.bus.uniqueName
    callers = try Callers(on: connection, auditSeconds: auditSeconds)
    clients = Clients(of: callers, limits: limits, counting: counting)
    clients.whenChanged = { [unowned self] change in
      switch change {
      case .began: changes.append("began")
      case .ended: changes.append("ended")
      case .left: changes.append("left")
      }
    }
    object = try ObjectSlot(
      on: connection.bus, path: Daemon.objectPath,
      interface: Interface(
        Daemon.deviceInterface, of: self,
        [
          .method("Begin") { rig, call throws(BusError) in
            try rig.callers.identify(call) { [unowned rig] call, caller throws(BusError) in
              try rig.clients.begin(call, by: caller)
            }
          },
          .method("End") { rig, call throws(BusError) in
            try rig.callers.identify(call) { [unowned rig] call, caller throws(BusError) in
              try rig.clients.end(call, by: caller)
            }
          },
        ]))
  }

  func turn(until what: String, _ holds: () throws -> Bool) throws {
    try wait(for: what, pause: { _ = try connection.loop.runOnce(timeoutSeconds: 0.02) }, until: holds)
  }
}

/// A client whose calls have all gone to the bus before the service reads any.
private final class Asker {
  let bus: Bus
  private let rig: ClientsRig
  private let loop: EventLoop
  /// nil for success, in the order in which they came.
  private(set) var answers: [String?] = []

  init(_ rig: ClientsRig) throws {
    self.rig = rig
    loop = try EventLoop()
    bus = try Bus.open(.address(rig.bus.address))
    try bus.attach(to: loop)
    _ = try bus.uniqueName
  }

  func call(_ methods: String...) throws {
    for method in methods {
      let call = try bus.methodCall(
        destination: rig.name, path: Daemon.objectPath, interface: Daemon.deviceInterface, member: method)
      try bus.callAsync(call) { [unowned self] in answers.append($0.error?.name) }.detach()
    }
    // The bus takes a client's messages in order, so it has taken these when it answers.
    _ = try bus.owner(of: "org.example.Nobody")
  }

  func wait(forAnswers count: Int) throws {
    try rig.turn(until: "\(count) answers") {
      while try loop.runOnce(timeoutSeconds: 0) == .handledEvent {}
      return answers.count == count
    }
  }
}

private let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
private let notGenerating = "org.orientationd1.Error.NotGenerating"

@Suite("The list of clients")
struct ClientsTests {
  private func limits(perUser: Int, inAll: Int = 256) -> ClientLimits {
    var limits = ClientLimits()
    limits.clientsPerUser = perUser
    limits.clients = inAll
    return limits
  }

  @Test("calls that wait until their user is known are carried out in their order")
  func order() throws {
    let rig = try ClientsRig(limits(perUser: 1))
    let (first, second) = (try Asker(rig), try Asker(rig))
    try first.call("Begin")
    try first.wait(forAnswers: 1)
    // The room that the last of these makes is there before the bus can have said whose the second client is.
    try second.call("Begin", "Begin", "End", "End", "End", "Begin")
    try first.call("End")
    try second.wait(forAnswers: 6)
    #expect(second.answers == [nil, nil, nil, nil, notGenerating, nil])
    #expect(rig.changes == ["began", "ended", "began", "began", "ended", "ended", "began"])
  }

  @Test("counted once, a begin after a begin and an end without one are nothing")
  func once() throws {
    let rig = try ClientsRig(limits(perUser: 1), counting: .once)
    let client = try Asker(rig)
    try client.call("End", "Begin", "Begin", "End", "End", "Begin")
    try client.wait(forAnswers: 6)
    #expect(client.answers == [String?](repeating: nil, count: 6))
    #expect(rig.changes == ["began", "ended", "began"])
    #expect(rig.clients.names == [try client.bus.uniqueName])
  }

  @Test("a client without room is refused all that waits, in order")
  func refused() throws {
    let rig = try ClientsRig(limits(perUser: 1))
    let (first, second) = (try Asker(rig), try Asker(rig))
    try first.call("Begin")
    try first.wait(forAnswers: 1)
    try second.call("Begin", "End", "Begin")
    try second.wait(forAnswers: 3)
    #expect(second.answers == [limitsExceeded, notGenerating, limitsExceeded])
    #expect(rig.changes == ["began"])
  }

  @Test("16 calls of a client wait, and more are refused")
  func waitingCalls() throws {
    let rig = try ClientsRig(limits(perUser: 1))
    let (first, second) = (try Asker(rig), try Asker(rig))
    try first.call("Begin")
    try first.wait(forAnswers: 1)
    for _ in 0..<17 { try second.call("Begin") }
    try second.call("End")
    try first.call("End")
    try second.wait(forAnswers: 18)
    #expect(second.answers == [limitsExceeded, limitsExceeded] + [String?](repeating: nil, count: 16))
  }

  @Test("a client that leaves while it is asked whose it is leaves nothing")
  func leavesWhileWaiting() throws {
    let rig = try ClientsRig(limits(perUser: 2))
    let (first, second) = (try Asker(rig), try Asker(rig))
    try first.call("Begin")
    try first.wait(forAnswers: 1)
    try second.call("Begin")
    second.bus.close()
    try first.call("Begin")
    try first.wait(forAnswers: 2)
    #expect(rig.changes == ["began", "began"])
    #expect(rig.clients.names == [try first.bus.uniqueName])
  }

  @Test("a client that had left before its first call was read never began")
  func leftBefore() throws {
    let rig = try ClientsRig(limits(perUser: 64))
    let client = try Asker(rig)
    try client.call("Begin")
    client.bus.close()
    let other = try Asker(rig)
    try other.call("End")
    try other.wait(forAnswers: 1)
    #expect(rig.changes == [])
    #expect(rig.clients.isEmpty)
  }

  @Test("a client whose departure the bus did not tell is found to have gone, and those who are there stay")
  func audit() throws {
    let rig = try ClientsRig(limits(perUser: 64), auditSeconds: 0.1)
    let (first, second) = (try Asker(rig), try Asker(rig))
    for client in [first, second] {
      try client.call("Begin")
      try client.wait(forAnswers: 1)
    }
    try deafen(rig)
    second.bus.close()
    let passerBy = try Asker(rig)
    try rig.turn(until: "the audit") {
      // Something has to happen, as nobody is woken up for it.
      try passerBy.call("End")
      return rig.changes.contains("left")
    }
    #expect(rig.clients.names == [try first.bus.uniqueName])
  }

  @Test("such a client is found also if it is the last thing that happens")
  func lastAudit() throws {
    let rig = try ClientsRig(limits(perUser: 64), auditSeconds: 1)
    let client = try Asker(rig)
    try client.call("Begin")
    try client.wait(forAnswers: 1)
    try deafen(rig)
    client.bus.close()
    try rig.turn(until: "the audit") { rig.changes.contains("left") }
    #expect(rig.clients.isEmpty)
  }

  /// A bus drops signals for who has too much to read; this one is asked not to send them.
  private func deafen(_ rig: ClientsRig) throws {
    let deafening = try rig.connection.bus.methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "RemoveMatch")
    try deafening.append(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''")
    var isDeaf = false
    try rig.connection.bus.callAsync(deafening) { isDeaf = !$0.isMethodError }.detach()
    try rig.turn(until: "no more signals") { isDeaf }
  }

  @Test("who asks for nothing any more takes nobody's room")
  func idle() throws {
    let rig = try ClientsRig(limits(perUser: 64, inAll: 2))
    let clients = try (0..<3).map { _ in try Asker(rig) }
    for client in clients {
      try client.call("Begin", "End")
      try client.wait(forAnswers: 2)
      #expect(client.answers == [nil, nil])
    }
    #expect(rig.clients.isEmpty)
  }
}
