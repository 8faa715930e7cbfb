// SPDX-License-Identifier: Apache-2.0

// The callers and their users. What the service keeps for clients is limited for each client, for each user and in all. Only the bus
// knows the user of a client: it is asked once for each client, asynchronously, and the client's calls wait for the answer in their
// order.
//
// The bus signals when a client leaves, but it drops its signals to a service that has too much to read. So while something is kept
// for clients, the bus is asked now and then for the names of those that are connected. This is done after other events, and once more
// after the last of them, so that it causes no wake-ups while nothing happens.

import IIO
import Orientation
import Systemd

/// A client of the service, and its user.
struct Caller: Equatable {
  /// Its unique name, which the bus never gives to another.
  let client: String
  /// The user that it belongs to.
  ///
  /// All clients whose user the bus does not know count as one user's.
  let user: ConnectionUser
}

/// The clients that call: their users, and when they leave.
final class Callers {
  /// Handles a call of a known caller.
  ///
  /// An error that it throws is sent as the answer.
  typealias Continuation = (_ call: consuming Message, _ caller: Caller) throws(BusError) -> Void

  /// How many calls of one client may wait until its user is known.
  static let waitingCallsPerClient = 16
  /// How many calls of all clients may wait for that: the bus answers in a moment.
  static let waitingCalls = 1024
  /// How many clients are known at a time: as many as a system bus has room for.
  private static let capacity = 2048
  /// The shortest time between two checks which clients are still connected, in seconds.
  static let auditSeconds = 10.0

  /// Called after each check which clients are still connected.
  ///
  /// This is the last thing that the main thread does after a turn or a call, at most once in ten seconds.
  var whenAudited: (() -> Void)?

  private let connection: Connection
  private let auditSeconds: Double
  private var known: [KnownClient] = []
  /// The owners of what is kept for clients.
  private var watches: [(holders: () -> [String], left: (String) -> Void)] = []
  private var disconnects: Slot?
  private var audit: Slot?
  private var nextAudit = BootTime.now
  private var afterEvents: EventSource?
  /// Asks after the last of several events; not after the answer, or there would be no end of it.
  private var lastAudit: Timer?
  private var isAnswered = false

  /// Starts to watch for clients that leave.
  ///
  /// - Parameters:
  ///   - connection: what their calls come over; it must outlive this.
  ///   - auditSeconds: the shortest time between two checks which clients are still connected.
  /// - Throws: ``ServiceError`` if the connection is closed or the loop has ended.
  init(on connection: Connection, auditSeconds: Double = Callers.auditSeconds) throws(ServiceError) {
    self.connection = connection
    self.auditSeconds = auditSeconds
    disconnects = try ServiceError.wrapping(ServiceError.bus) { () throws(BusError) in
      try connection.bus.onClientDisconnected { [unowned(unsafe) self] client in left(client) }
    }
    afterEvents = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in
      lastAudit = try connection.loop.timer { [unowned(unsafe) self] in auditIfDue() }
      return try connection.loop.afterEvents { [unowned(unsafe) self] in auditIfDue() }
    }
  }

  // MARK: The user of a call

  /// Passes a call on, at once or when its user is known.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - body: called once, unless the caller leaves before. The calls of a client are passed on in their order.
  /// - Throws: `BusError`: LimitsExceeded if too many calls wait, or what the body threw. The call is not answered then.
  func identify(_ call: consuming Message, then body: @escaping Continuation) throws(BusError) {
    guard let name = call.sender else {
      throw BusError(name: BusError.Name.accessDenied, message: "The caller is unknown.")
    }
    let client = if let client = find(name) { client } else { try admit(name) }
    if let user = client.user { return try body(call, Caller(client: name, user: user)) }
    guard client.waiting.count < Self.waitingCallsPerClient else {
      throw .limitsExceeded(
        "\(client.waiting.count) calls of this client wait already; await their answers first.")
    }
    guard known.reduce(0, { $0 + $1.waiting.count }) < Self.waitingCalls else {
      throw .limitsExceeded("\(Self.waitingCalls) calls of new clients wait already; try again in a moment.")
    }
    client.waiting.append(WaitingCall(call, body))
  }

  /// Takes in a client whose user a process before this one has asked for.
  func restore(_ caller: Caller) {
    guard find(caller.client) == nil, known.count < Self.capacity else { return }
    let client = KnownClient(caller.client)
    client.user = caller.user
    known.append(client)
  }

  private func find(_ name: String) -> KnownClient? { known.first { $0.name == name } }

  private func admit(_ name: String) throws(BusError) -> KnownClient {
    if known.count >= Self.capacity {
      guard let oldest = known.firstIndex(where: { $0.user != nil }) else {
        throw .limitsExceeded("Too many clients call at once; try again in a moment.")
      }
      // If it calls again, the bus is asked again.
      known.remove(at: oldest)
    }
    let client = KnownClient(name)
    client.question = try connection.bus.askUser(of: name) { [unowned(unsafe) self] in learned(name, $0) }
    known.append(client)
    return client
  }

  /// The bus has answered which user a client has.
  private func learned(_ name: String, _ user: ConnectionUser) {
    guard let client = find(name) else { return }
    client.question = nil
    guard user != .gone else { return left(name) }
    client.user = user
    let calls = client.waiting
    client.waiting = []
    for waiting in calls {
      do throws(BusError) {
        try waiting.body(waiting.call.retained(), Caller(client: name, user: user))
      } catch {
        waiting.call.refuse(with: error)
      }
    }
  }

  // MARK: Clients that leave

  /// Registers an owner of something that is kept for clients, to be notified when they leave.
  ///
  /// - Parameters:
  ///   - holders: the unique names of the clients for whom something is kept.
  ///   - left: called with the unique name of each client that leaves, also of one that is no holder.
  func watch(holders: @escaping () -> [String], left: @escaping (_ client: String) -> Void) {
    watches.append((holders, left))
  }

  private func left(_ name: String) {
    known.removeAll { $0.name == name }
    for watch in watches { watch.left(name) }
  }

  private func auditIfDue() {
    defer { isAnswered = false }
    guard audit == nil, !known.isEmpty else { return }
    let wait = nextAudit.seconds(since: .now)
    guard wait <= 0 else {
      if !isAnswered { auditLater(afterSeconds: wait) }
      return
    }
    nextAudit = .now.advanced(bySeconds: auditSeconds)
    guard hasHolders else { return }
    // It fails only if the connection is closed, and then the service ends.
    audit = try? connection.bus.askNames { [unowned(unsafe) self] names in
      audit = nil
      isAnswered = true
      if let names { dropMissing(names) }
      whenAudited?()
    }
  }

  private func auditLater(afterSeconds wait: Double) {
    guard lastAudit?.isArmed == false, hasHolders else { return }
    lastAudit?.arm(afterSeconds: wait)
  }

  private var hasHolders: Bool { watches.contains { !$0.holders().isEmpty } }

  /// Drops the clients that have left the bus.
  ///
  /// The calls of a client that connected after the bus had made the list are read after the list.
  private func dropMissing(_ names: [String]) {
    var missing: [String] = []
    for name in watches.flatMap({ $0.holders() }) + known.map({ $0.name })
    where !names.contains(name) && !missing.contains(name) {
      missing.append(name)
    }
    for name in missing { left(name) }
  }
}

/// A client that has called.
private final class KnownClient {
  let name: String
  /// Its user; nil until the bus has answered.
  var user: ConnectionUser?
  /// The question for it to the bus.
  var question: Slot?
  var waiting: [WaitingCall] = []

  init(_ name: String) { self.name = name }
}

/// A call that waits until its user is known.
private final class WaitingCall {
  let call: Message
  let body: Callers.Continuation

  init(_ call: consuming Message, _ body: @escaping Callers.Continuation) {
    self.call = call
    self.body = body
  }
}
