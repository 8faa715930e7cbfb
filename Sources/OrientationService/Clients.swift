// SPDX-License-Identifier: Apache-2.0

// Who asks for notifications, and how often. What a client can make the service keep is bounded: by client, by user and
// in all.
//
// Whose a client is only the bus knows, and it is asked without waiting: a service that waits takes into memory whatever
// else is sent to it meanwhile. While there are fewer clients than one user may have, the answer makes no difference, and
// the client has its own at once. Later ones wait for it, and all their calls with them, in order.

import Systemd

/// What has become of a client's asking.
enum ClientChange {
  /// It asks once more.
  case began(String)
  /// It asks once less.
  case ended(String)
  /// It has left the bus, asking.
  case left(String)
}

/// The clients that asked for something, each as often as it did, forgotten when they leave.
final class Clients {
  /// How many calls of one client may wait until it is known whose they are.
  private static let waitingCallsPerClient = 16

  /// How the calls of a client count.
  enum Counting {
    /// Each begin needs an end of its own, as in UIKit.
    case nested
    /// A begin after a begin is nothing, and so is an end without one.
    case once
  }

  private let connection: Connection
  private let limits: ClientLimits
  private let counting: Counting
  private let answer: Interface.DeferringMethodHandler
  private let whenChanged: (ClientChange) -> Void
  private var departures: Departures?
  private var clients: [Client] = []

  /// Creates the list for the clients of a bus.
  ///
  /// - Parameters:
  ///   - connection: what their calls come over; it must outlive the list.
  ///   - limits: how many there may be.
  ///   - counting: how the calls of a client count.
  ///   - answer: answers who has begun, now or later; by default at once.
  ///   - whenChanged: called after each change, before the client is answered.
  init(
    on connection: Connection, limits: ClientLimits, counting: Counting = .nested,
    answer: @escaping Interface.DeferringMethodHandler = { call throws(BusError) in try call.reply().send() },
    whenChanged: @escaping (ClientChange) -> Void
  ) {
    self.connection = connection
    self.limits = limits
    self.counting = counting
    self.answer = answer
    self.whenChanged = whenChanged
    departures = Departures(on: connection) { [unowned(unsafe) self] in left($0) }
  }

  /// Whether nobody asks.
  var isEmpty: Bool { !clients.contains { $0.begins > 0 } }

  /// The number of clients of which anything is known.
  var count: Int { clients.count }

  /// The unique names of those who ask.
  var names: [String] { clients.filter { $0.begins > 0 }.map { $0.name } }

  /// Whether a client asks.
  func isAsking(_ name: String) -> Bool { (find(name)?.begins ?? 0) > 0 }

  /// Counts the caller once more, and answers it now or later.
  ///
  /// - Parameter call: the call.
  /// - Throws: `BusError` LimitsExceeded; the call is not answered then.
  func begin(_ call: consuming Message) throws(BusError) {
    guard let name = call.sender else { throw Self.notGenerating }
    let known = find(name)
    let client = if let known { known } else { try admit(name) }
    if client.begins == 0 && client.user == nil && asking({ _ in true }) >= limits.clientsPerUser {
      client.mustWait = true
    }
    try take(call, .begin, of: client)
  }

  /// Counts the caller once less, and answers it now or later.
  ///
  /// - Parameter call: the call.
  /// - Throws: `BusError` NotGenerating, LimitsExceeded; the call is not answered then.
  func end(_ call: consuming Message) throws(BusError) {
    guard let name = call.sender, let client = find(name) else {
      guard counting == .once else { throw Self.notGenerating }
      return try call.reply().send()
    }
    try take(call, .end, of: client)
  }

  // MARK: Calls

  private func take(_ call: consuming Message, _ wish: Wish, of client: Client) throws(BusError) {
    guard client.mustWait else {
      try carryOut(wish, of: client)
      return try reply(to: call, wish)
    }
    guard client.waiting.count < Self.waitingCallsPerClient else {
      throw Self.limitsExceeded(
        "\(client.waiting.count) calls of this client wait already; await their answers first.")
    }
    client.waiting.append(WaitingCall(call, wish))
  }

  private func carryOut(_ wish: Wish, of client: Client) throws(BusError) {
    switch wish {
    case .begin:
      if counting == .once && client.begins > 0 { return }
      try checkLimits(client)
      client.begins += 1
      whenChanged(.began(client.name))
    case .end:
      if counting == .once && client.begins == 0 { return }
      guard client.begins > 0 else { throw Self.notGenerating }
      client.begins -= 1
      whenChanged(.ended(client.name))
    }
  }

  private func reply(to call: consuming Message, _ wish: Wish) throws(BusError) {
    switch wish {
    case .begin: try answer(call)
    case .end: try call.reply().send()
    }
  }

  private func checkLimits(_ client: Client) throws(BusError) {
    guard client.begins < limits.beginsPerClient else {
      throw Self.limitsExceeded("This client has begun \(client.begins) times already; end some first.")
    }
    guard client.begins == 0, let user = client.user else { return }
    guard asking({ $0.user == user }) < limits.clientsPerUser else {
      throw Self.limitsExceeded(
        "\(limits.clientsPerUser) clients of this user are being notified already; try again when one of them has gone."
      )
    }
  }

  // MARK: Coming and going

  private func find(_ name: String) -> Client? { clients.first { $0.name == name } }

  /// How many clients of a kind ask.
  private func asking(_ isMeant: (Client) -> Bool) -> Int {
    clients.reduce(0) { $0 + ($1.begins > 0 && isMeant($1) ? 1 : 0) }
  }

  /// Makes room for a new client, and asks whose it is.
  private func admit(_ name: String) throws(BusError) -> Client {
    if clients.count >= limits.clients {
      guard let idle = clients.firstIndex(where: { $0.begins == 0 && $0.waiting.isEmpty }) else {
        throw Self.limitsExceeded(
          "\(limits.clients) clients are being notified already; try again when one of them has gone.")
      }
      clients.remove(at: idle)
    }
    // In this order: a client that leaves before the bus has taken the rule on is gone when it answers the question.
    try departures?.listen()
    let client = Client(name)
    client.question = try connection.bus.askUser(of: name) { [unowned(unsafe) self] in learned(name, $0) }
    clients.append(client)
    return client
  }

  /// The bus has said whose a client is.
  private func learned(_ name: String, _ user: ConnectionUser) {
    guard let client = find(name) else { return }
    client.question = nil
    guard user != .gone else {
      _ = left(name)
      return
    }
    client.user = user
    client.mustWait = false
    let calls = client.waiting
    client.waiting = []
    for waiting in calls { take(waiting, of: client) }
  }

  private func take(_ waiting: WaitingCall, of client: Client) {
    // An answer can only fail to be sent where the bus is gone, and the caller with it.
    do throws(BusError) {
      try carryOut(waiting.wish, of: client)
      try reply(to: waiting.call.retained(), waiting.wish)
    } catch {
      _ = try? waiting.call.reply(error)
    }
  }

  private func left(_ name: String) -> Departures.Interest {
    if let index = clients.firstIndex(where: { $0.name == name }) {
      let client = clients.remove(at: index)
      if client.begins > 0 { whenChanged(.left(name)) }
    }
    if clients.contains(where: { $0.begins > 0 || !$0.waiting.isEmpty }) { return .some }
    // Those that are left ask for nothing; who does not hear when they leave must not keep them.
    clients = []
    return .none
  }

  // MARK: Refusals

  private static func limitsExceeded(_ message: String) -> BusError {
    BusError(name: ServiceErrorName.limitsExceeded, message: message)
  }

  private static var notGenerating: BusError {
    BusError(
      name: ServiceErrorName.notGenerating,
      message: "This client has no BeginGeneratingDeviceOrientationNotifications to end.")
  }
}

/// What a client wants.
private enum Wish {
  case begin
  case end
}

/// A client that asks, or has asked: what is known of it is kept until it leaves, or others need the room.
private final class Client {
  let name: String
  /// How often it has begun, less the ends.
  var begins = 0
  /// Whose it is; nil until the bus has answered.
  ///
  /// Those of whom it does not say so count as one user's.
  var user: ConnectionUser?
  /// What asks the bus for that.
  var question: Slot?
  /// Whether its calls wait for that.
  var mustWait = false
  var waiting: [WaitingCall] = []

  init(_ name: String) { self.name = name }
}

/// A call that waits until it is known whose it is.
private final class WaitingCall {
  let call: Message
  let wish: Wish

  init(_ call: consuming Message, _ wish: Wish) {
    self.call = call
    self.wish = wish
  }
}
