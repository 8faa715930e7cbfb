// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport

@testable import OrientationService

/// A bus with a small service whose calls need an authorization.
///
/// One loop turns it and its callers; polkit is a process of its own.
final class AuthorizerRig {
  let bus: PrivateBus
  let connection: Connection
  let authorizer: Authorizer
  private let callers: Callers
  let service: String
  private var object: ObjectSlot?

  static let path = "/org/example"
  static let interface = "org.example.Screen"
  /// What the service throws instead of carrying out `Lock(false)`.
  static let refusal = BusError(name: "org.example.Error.Stuck", message: "it cannot be unlocked")

  /// What was carried out, in order: the action and the argument.
  private(set) var carriedOut: [String] = []

  init(
    on bus: PrivateBus, patience: Authorizer.Patience = Authorizer.Patience(),
    privilegedUsers: [UInt32]? = nil
  ) throws {
    self.bus = bus
    connection = try Connection(to: .address(bus.address))
    callers = try Callers(on: connection)
    if let privilegedUsers {
      authorizer = try Authorizer(
        on: connection, of: callers, patience: patience, privilegedUsers: privilegedUsers)
    } else {
      authorizer = try Authorizer(on: connection, of: callers, patience: patience)
    }
    service = try connection.bus.uniqueName
    object = try ObjectSlot(
      on: connection.bus, path: Self.path,
      interface: Interface(
        Self.interface, of: self,
        [
          .method("Rotate", inputs: ["orientation": "u"]) {
            rig, call throws(BusError) in
            // As a service does that validates first.
            _ = try call.readUInt32()
            try rig.authorize(call, .rotate) { [unowned rig] call throws(BusError) in
              rig.carriedOut.append("rotate \(try call.readUInt32())")
            }
          },
          .method("Lock", inputs: ["locked": "b"]) {
            rig, call throws(BusError) in
            try rig.authorize(call, .setRotationLock) { [unowned rig] call throws(BusError) in
              guard try call.readBool() else { throw Self.refusal }
              rig.carriedOut.append("lock")
            }
          },
          .method("IsWaiting", outputs: ["isWaiting": "b"]) {
            rig, call throws(BusError) in
            try rig.callers.identify(call) { [unowned rig] call, caller throws(BusError) in
              let reply = try call.reply()
              try reply.append(rig.authorizer.isWaiting(caller))
              try reply.send()
            }
          },
        ]))
  }

  /// Has a call carried out if polkit allows it.
  func authorize(
    _ call: consuming Message, _ action: AuthorizedAction, then act: @escaping Authorizer.Act
  ) throws(BusError) {
    try callers.identify(call) { [unowned self] call, caller throws(BusError) in
      try authorizer.authorize(call, by: caller, for: action) { call throws(BusError) in
        try act(call)
        try call.reply().send()
      }
    }
  }

  /// Turns the loop until something is so.
  func turn(until what: String, _ holds: () throws -> Bool) throws {
    try wait(for: what, pause: { _ = try connection.loop.runOnce(timeoutSeconds: 0.02) }, until: holds)
  }

  /// A client of the service, on a connection of its own.
  func caller() throws -> Caller { try Caller(of: self) }

  final class Caller {
    let bus: Bus
    let name: String
    private let service: String
    /// The answers to its calls, in the order of their arrival: nil for success.
    private(set) var answers: [BusError?] = []

    init(of rig: AuthorizerRig) throws {
      bus = try Bus.open(.address(rig.bus.address))
      try bus.attach(to: rig.connection.loop)
      name = try bus.uniqueName
      service = rig.service
    }

    func rotate(_ orientation: UInt32, interactive: Bool = false) throws {
      try call("Rotate", interactive: interactive) { call throws(BusError) in try call.append(orientation) }
    }

    func lock(_ locked: Bool) throws {
      try call("Lock") { call throws(BusError) in try call.append(locked) }
    }

    /// Asks the service whether a call of this client waits, behind which a further one would have to stay.
    func askWhetherWaiting(_ handler: @escaping (Bool) -> Void) throws {
      let call = try methodCall("IsWaiting")
      try bus.callAsync(call) { reply in handler((try? reply.readBool()) ?? false) }.detach()
    }

    private func call(
      _ method: String, interactive: Bool = false, _ arguments: (borrowing Message) throws(BusError) -> Void
    ) throws {
      let call = try methodCall(method)
      if interactive { try call.allowInteractiveAuthorization() }
      try arguments(call)
      try bus.callAsync(call, timeoutSeconds: 100) { [unowned self] reply in answers.append(reply.error) }
        .detach()
    }

    private func methodCall(_ method: String) throws(BusError) -> Message {
      try bus.methodCall(
        destination: service, path: AuthorizerRig.path, interface: AuthorizerRig.interface, member: method)
    }
  }
}

extension Authorizer {
  /// The number of calls that wait, and of questions to polkit whose clients have left.
  var waitingCounts: (calls: Int, abandoned: Int) {
    let abandoned = waiting.count { $0.isAbandoned }
    return (waiting.count - abandoned, abandoned)
  }
}
