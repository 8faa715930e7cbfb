// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport

/// A bus with a service and a client on it, both turned by one loop.
final class BusRig {
  let daemon: PrivateBus
  let loop: EventLoop
  let service: Bus
  let client: Bus

  /// The name that the policy of the bus lets nobody own.
  static let forbiddenName = "org.example.Forbidden"
  static let name = "org.example.Service1"
  static let path = "/org/example"
  static let interface = "org.example.Thing"

  struct NothingHappened: Error {}

  init() throws {
    daemon = try PrivateBus(.allBut(Self.forbiddenName))
    loop = try EventLoop()
    service = try Bus.open(.address(daemon.address))
    client = try Bus.open(.address(daemon.address))
    try service.attach(to: loop)
    try client.attach(to: loop)
  }

  /// Turns the loop until something is so, with ten seconds for each turn as a guard.
  func turn(until condition: () throws -> Bool) throws {
    while try !condition() {
      guard try loop.runOnce(timeoutSeconds: 10) == .handledEvent else { throw NothingHappened() }
    }
  }

  /// Calls a method of the service as the client, while the loop serves both.
  func call(
    _ member: String, interface: String = BusRig.interface,
    arguments: (borrowing Message) throws(BusError) -> Void = { _ in },
    reply handler: @escaping (borrowing Message) -> Void = { _ in }
  ) throws {
    let call = try client.methodCall(
      destination: service.uniqueName, path: BusRig.path, interface: interface, member: member)
    try arguments(call)
    let answered = Flag()
    let slot = try client.callAsync(call, timeoutSeconds: 10) { reply in
      handler(reply)
      answered.isSet = true
    }
    try turn { answered.isSet }
    _ = consume slot
  }

  /// Runs busctl on this bus while the loop serves it.
  func busctl(_ arguments: String...) throws -> (output: String, status: CInt) {
    let busctl = try ChildProcess("busctl", ["--address=\(daemon.address)"] + arguments)
    try wait(for: "the end of busctl", pause: { _ = try loop.runOnce(timeoutSeconds: 0.02) }) {
      !busctl.isRunning
    }
    return (busctl.output + busctl.errors, try busctl.exitCode())
  }
}

/// Something that a handler sets and a test looks at.
final class Flag {
  var isSet = false
}

/// Something that a handler notes and a test looks at.
final class Log {
  var entries: [String] = []
}

/// What handles an interface whose members need no object.
final class Nobody: Sendable {}

/// The handler of all such interfaces, which outlives each of their slots.
let nobody = Nobody()

/// Lives as long as the handler that captured it.
final class Canary {
  /// What a handler calls to capture this.
  func sing() {}
}
