// SPDX-License-Identifier: Apache-2.0

// Who the clients of a service are, and when they leave the bus. Only adding a match waits for an answer of the bus, which a
// service does once, when it starts. (`sd_bus_track` is not used: it waits whenever a client is added, and meanwhile libsystemd reads
// all messages before the answer into memory. With a client that had sent 100,000 calls, these were 98 MB.)

extension Bus {
  /// Calls a handler when a connection leaves the bus.
  ///
  /// Waits for the bus to accept the rule. The bus drops its signals to a connection that has too much to read, so a client may
  /// leave unnoticed: ``askNames(_:)`` finds out who is still there.
  ///
  /// - Parameter handler: Called with the unique name of each connection that leaves.
  /// - Returns: The slot, which owns the handler.
  /// - Throws: `BusError` if the connection is closed.
  package func onClientDisconnected(_ handler: @escaping (_ client: String) -> Void) throws(BusError) -> Slot
  {
    try matchSignalOfBus("NameOwnerChanged", where: ",arg2=''") { signal in
      // The rule also matches well-known names that are released.
      guard let name = try? signal.readString(), name.utf8.first == UInt8(ascii: ":") else { return }
      handler(name)
    }
  }

  /// Calls a handler for each signal of the bus itself that a rule matches.
  ///
  /// Every connection can send any signal directly to this one, and libsystemd treats it as a match. Only the sender field can be
  /// trusted: the bus writes it, and gives its own name to no connection.
  ///
  /// - Parameters:
  ///   - member: The name of the signal.
  ///   - conditions: The rest of the rule, beginning with a comma.
  ///   - handler: Called for each signal.
  /// - Returns: The slot, which owns the handler.
  /// - Throws: `BusError` if the connection is closed.
  func matchSignalOfBus(
    _ member: String, where conditions: String, _ handler: @escaping (borrowing Message) -> Void
  ) throws(BusError) -> Slot {
    try match(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='\(member)'\(conditions)"
    ) { signal in if signal.isFromBus { handler(signal) } }
  }

  /// All names that are owned, unique and well-known; waits for the answer of the bus.
  ///
  /// - Throws: `BusError` if the bus does not answer.
  package func names() throws(BusError) -> [String] {
    let reply = try call(try questionOfBus("ListNames"))
    guard reply.isFromBus else { return [] }
    return try reply.readStrings()
  }

  /// Asks the bus for all names that are owned, unique and well-known.
  ///
  /// - Parameter handler: Called once; with nil if the bus does not answer.
  /// - Returns: The slot; destroying it cancels the question.
  /// - Throws: `BusError` if the connection is closed.
  package func askNames(_ handler: @escaping (_ names: [String]?) -> Void) throws(BusError) -> Slot {
    try askBus("ListNames") { reply in handler(reply.isFromBus ? try? reply.readStrings() : nil) }
  }

  /// Asks the bus which user a connection belongs to.
  ///
  /// - Parameters:
  ///   - client: The unique name of the connection.
  ///   - handler: Called once with the answer.
  /// - Returns: The slot; destroying it cancels the question.
  /// - Throws: `BusError` if the connection is closed.
  package func askUser(of client: String, _ handler: @escaping (ConnectionUser) -> Void) throws(BusError)
    -> Slot
  {
    try askBus("GetConnectionUnixUser", of: client) { reply in handler(ConnectionUser(reply)) }
  }

  /// Asks the bus itself, about a connection or a name if one is given.
  func askBus(
    _ member: String, of name: String? = nil, _ handler: @escaping (borrowing Message) -> Void
  ) throws(BusError) -> Slot {
    let question = try questionOfBus(member)
    if let name { try question.append(name) }
    return try callAsync(question, reply: handler)
  }

  private func questionOfBus(_ member: String) throws(BusError) -> Message {
    try methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: member)
  }
}

/// The user of a connection to a bus.
package enum ConnectionUser: Equatable, Sendable {
  /// It belongs to this user.
  case user(UInt32)
  /// The bus does not know.
  case unknown
  /// The connection has left the bus.
  case gone

  /// Reads the answer of the bus.
  init(_ reply: borrowing Message) {
    // Some buses deliver replies to no call of ours; then any connection could have sent this one.
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
