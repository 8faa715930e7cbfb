// SPDX-License-Identifier: Apache-2.0

// Who the clients of a service are, and when they leave. Nothing here waits for the bus's answer but what listens, which is done
// once as a service starts. (`sd_bus_track` waits whenever it is given a client: while it does, libsystemd reads all that lies
// before the answer into memory, which was 98 MB of a client that sent 100,000 calls at once.)

import CLinux
import CSystemd

extension Bus {
  /// Calls a handler when a connection leaves the bus.
  ///
  /// Waits for the bus to accept the rule. The bus drops its signals for a connection that has too much to read, so that a
  /// departure may be missed: ``askNames(_:)`` tells who is there.
  ///
  /// - Parameter handler: Called with the unique name of each connection that leaves.
  /// - Returns: The slot; the handler lives as long.
  /// - Throws: `BusError`, where the connection is gone.
  public func onClientDisconnected(_ handler: @escaping (_ client: String) -> Void) throws(BusError) -> Slot {
    try matchSignalOfBus("NameOwnerChanged", where: ",arg2=''") { signal in
      // The rule holds for names that services give up, too.
      guard let name = try? signal.readString(), name.utf8.first == UInt8(ascii: ":") else { return }
      handler(name)
    }
  }

  /// Calls a handler for each signal of the bus itself that a rule matches.
  ///
  /// Every connection can send every signal to this one alone, and libsystemd takes it for one that matches. Only the sender
  /// tells: the bus writes it, and gives its own name to nobody.
  ///
  /// - Parameters:
  ///   - member: The name of the signal.
  ///   - conditions: More of the rule, beginning with a comma.
  ///   - handler: Called for each signal.
  /// - Returns: The slot; the handler lives as long.
  /// - Throws: `BusError`, where the connection is gone.
  func matchSignalOfBus(
    _ member: String, where conditions: String, _ handler: @escaping (borrowing Message) -> Void
  ) throws(BusError) -> Slot {
    try match(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='\(member)'\(conditions)"
    ) { signal in if signal.isFromBus { handler(signal) } }
  }

  /// Asks the bus for all names that somebody has, unique ones and others.
  ///
  /// - Parameter handler: Called once: with nil where the bus does not say.
  /// - Returns: The slot; destroying it forgets the question.
  /// - Throws: `BusError`, where the own connection is gone.
  public func askNames(_ handler: @escaping (_ names: [String]?) -> Void) throws(BusError) -> Slot {
    let question = try methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "ListNames")
    return try callAsync(question) { reply in handler(reply.isFromBus ? try? reply.readStrings() : nil) }
  }

  /// Asks the bus whose a connection is.
  ///
  /// - Parameters:
  ///   - client: The unique name of the connection.
  ///   - handler: Called once with the answer.
  /// - Returns: The slot; destroying it forgets the question.
  /// - Throws: `BusError`, where the own connection is gone.
  public func askUser(
    of client: String, _ handler: @escaping (ConnectionUser) -> Void
  ) throws(BusError) -> Slot {
    let question = try methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "GetConnectionUnixUser")
    try question.append(client)
    return try callAsync(question) { reply in handler(ConnectionUser(reply)) }
  }
}

/// Whose a connection to a bus is.
public enum ConnectionUser: Equatable, Sendable {
  /// It is this user's.
  case user(UInt32)
  /// The bus does not say.
  case unknown
  /// There is no such connection any more.
  case gone

  /// Reads the answer of the bus.
  init(_ reply: borrowing Message) {
    // Where the bus passes on what is no answer to a question, anybody could have sent it.
    if reply.isFromConnection {
      self = .unknown
    } else if let error = reply.error {
      self = error.name == BusError.Name.nameHasNoOwner ? .gone : .unknown
    } else if let user = try? reply.readUInt32() {
      self = .user(user)
    } else {
      self = .unknown
    }
  }
}
