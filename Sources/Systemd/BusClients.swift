// SPDX-License-Identifier: Apache-2.0

// Who the clients of a service are, and when they leave, without ever waiting for the bus's answer. (`sd_bus_track` waits:
// while it does, libsystemd reads all that lies before the answer into memory, which was 98 MB of a client that sent
// 100,000 calls at once.)

import CLinux
import CSystemd

extension Bus {
  /// Calls a handler when a connection leaves the bus.
  ///
  /// Who leaves after this is heard of, though the bus may take the rule on only later: it does so before whatever is
  /// sent after this.
  ///
  /// - Parameter handler: Called with the unique name of each connection that leaves.
  /// - Returns: The slot; the handler lives as long.
  /// - Throws: `BusError`, where the connection is gone.
  public func onDeparture(_ handler: @escaping (_ client: String) -> Void) throws(BusError) -> Slot {
    let rule =
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
      + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''"
    let bus = handle
    return try Slot(
      "sd_bus_add_match_async",
      handler: { signal in
        // The rule holds for names that services give up, too.
        guard let name = try? signal.readString(), name.utf8.first == UInt8(ascii: ":") else { return }
        handler(name)
      },
      make: { sd_bus_add_match_async(bus, &$0, rule, $1, nil, $2) })
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
    if let error = reply.error {
      self = error.name == BusError.Name.nameHasNoOwner ? .gone : .unknown
    } else if let user = try? reply.readUInt32() {
      self = .user(user)
    } else {
      self = .unknown
    }
  }
}
