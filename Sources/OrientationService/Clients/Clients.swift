// SPDX-License-Identifier: Apache-2.0

// The clients that have subscribed to notifications or claimed a sensor. Their number is limited for each user and in all, and so is
// how often a client may begin.

import IIO
import Orientation
import SensorSetup
import Systemd

/// A change of a client's subscription.
enum ClientChange {
  /// It has begun once more.
  case began(String)
  /// It has ended once.
  case ended(String)
  /// It has left the bus without an end.
  case left(String)
}

/// The clients that have begun something, with how often each has.
///
/// They are removed when they leave.
final class Clients {
  /// For how long after a restart a begin may repeat an earlier one, in seconds: longer than any client waits before it tries again.
  static let repetitionSeconds = 30.0

  /// How the calls of a client count.
  enum Counting {
    /// Each begin needs an end of its own, as in UIKit.
    case nested
    /// A second begin has no effect, nor has an end without a begin.
    case once
  }

  /// The limits.
  ///
  /// Clients beyond a new limit stay.
  var limits: ClientLimits
  private let counting: Counting
  /// Answers the call of a client that has begun, now or later; at once unless this is set.
  var answer: Callers.Continuation = { call, _ throws(BusError) in try call.reply().send() }
  /// Called after each change, before the client is answered.
  var whenChanged: (ClientChange) -> Void = { _ in }
  private var clients: [Client] = []
  /// Until when a client that begins is taken to repeat what a restart of the service has kept for it.
  private var restartEnds: BootTime?

  /// Creates the list for the clients of a bus.
  ///
  /// - Parameters:
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  ///   - limits: how many clients there may be.
  ///   - counting: how the calls of a client count.
  init(of callers: Callers, limits: ClientLimits, counting: Counting = .nested) {
    (self.limits, self.counting) = (limits, counting)
    callers.watch(
      holders: { [unowned(unsafe) self] in names }, left: { [unowned(unsafe) self] in left($0) })
  }

  /// Whether there are no subscribers.
  var isEmpty: Bool { clients.isEmpty }

  /// The unique names of the subscribers.
  var names: [String] { clients.map { $0.name } }

  /// The subscribers, and how often each has begun.
  var begun: [(caller: Caller, count: Int)] { clients.map { ($0.caller, $0.begins) } }

  /// Takes in a subscriber that the process before this one had.
  ///
  /// Most clients do not know of the restart. Those that do begin again within seconds, which counts nothing then.
  func restore(_ caller: Caller, count: Int) {
    guard count > 0, !isSubscribed(caller.client) else { return }
    let client = Client(caller)
    (client.begins, client.repetitions) = (count, count)
    clients.append(client)
    restartEnds = .now.advanced(bySeconds: Self.repetitionSeconds)
    whenChanged(.began(caller.client))
  }

  /// Drops the subscribers that were restored, and have not begun again since.
  func dropRestored() {
    for client in clients where client.repetitions > 0 { left(client.name) }
  }

  /// Takes a begin for a repetition of what was kept for the subscriber; false if it is none.
  private func takeRepetition(by name: String) -> Bool {
    guard let restartEnds, let client = find(name), client.repetitions > 0 else { return false }
    client.repetitions -= 1
    return BootTime.now < restartEnds
  }

  /// Whether a client is a subscriber.
  func isSubscribed(_ name: String) -> Bool { find(name) != nil }

  /// Counts a begin of the caller, and answers it now or later.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - caller: who calls.
  /// - Throws: `BusError` LimitsExceeded; the call is not answered then.
  func begin(_ call: consuming Message, by caller: Caller) throws(BusError) {
    if !(counting == .once && isSubscribed(caller.client)), !takeRepetition(by: caller.client) {
      let client = try admit(caller)
      client.begins += 1
      whenChanged(.began(client.name))
    }
    try answer(call, caller)
  }

  /// Counts an end of the caller, and answers it.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - caller: who calls.
  /// - Throws: `BusError` NotGenerating; the call is not answered then.
  func end(_ call: consuming Message, by caller: Caller) throws(BusError) {
    if let client = find(caller.client) {
      client.begins -= 1
      // Who ends first does not know of the restart.
      client.repetitions = 0
      if client.begins == 0 { clients.removeAll { $0 === client } }
      whenChanged(.ended(client.name))
    } else if counting == .nested {
      throw BusError(
        name: ServiceErrorName.notGenerating,
        message: "This client has no BeginGeneratingDeviceOrientationNotifications to end.")
    }
    try call.reply().send()
  }

  // MARK: Clients that come and go

  private func find(_ name: String) -> Client? { clients.first { $0.name == name } }

  /// The client that the caller is, with room for one more begin.
  private func admit(_ caller: Caller) throws(BusError) -> Client {
    if let client = find(caller.client) {
      guard client.begins < limits.beginsPerClient else {
        throw .limitsExceeded("This client has begun \(client.begins) times already; end some first.")
      }
      return client
    }
    if let excess = limits.accounts.excess(of: caller, among: clients.map { $0.caller }) {
      throw .limitsExceeded(Self.words(for: excess))
    }
    let client = Client(caller)
    clients.append(client)
    return client
  }

  private func left(_ name: String) {
    guard let index = clients.firstIndex(where: { $0.name == name }) else { return }
    clients.remove(at: index)
    whenChanged(.left(name))
  }

  // MARK: Refusals

  private static func words(for excess: UserAccounts.Excess) -> String {
    switch excess {
    case .client(let limit), .user(let limit):
      "\(limit) clients of this user are being notified already; try again when one of them has ended or left."
    case .all(let limit):
      "The limit of \(limit) clients is reached for this user; try again when one has ended or left."
    }
  }
}

/// A subscriber.
private final class Client {
  let caller: Caller
  /// How often it has begun, less the ends; never zero between two calls.
  var begins = 0
  /// How many of its begins it may repeat, as they were kept over a restart.
  var repetitions = 0

  init(_ caller: Caller) { self.caller = caller }

  var name: String { caller.client }
}

extension ClientLimits {
  /// The limits of clients: each counts once, however often it has begun.
  var accounts: UserAccounts {
    UserAccounts(perClient: 1, perUser: clientsPerUser, inAll: clients)
  }
}
