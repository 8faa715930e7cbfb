// SPDX-License-Identifier: Apache-2.0

// The limits of what the service keeps for clients: for each client, for each user and for all together. A part of the total is
// reserved for root and for the user of the session on the screen, so that others never use up what these need: a tablet that its
// owner cannot rotate is worse than a program of another user that has to wait.

import Orientation
import Systemd

/// The limits of one thing that clients use: subscriptions, questions to polkit, calls that wait.
struct UserAccounts: Equatable {
  /// How much one client may use.
  var perClient: Int
  /// How much all clients of one user may use.
  var perUser: Int
  /// How much all clients may use.
  var inAll: Int

  /// Which limit is reached.
  enum Excess: Equatable {
    /// That of the client.
    case client(limit: Int)
    /// That of the client's user.
    case user(limit: Int)
    /// That of all.
    case all(limit: Int)
  }

  /// Which limit keeps a caller from using one more; nil if none does.
  ///
  /// - Parameters:
  ///   - caller: the caller who wants it.
  ///   - users: the user of each place in use, the caller's own among them.
  ///   - ofClient: how many of the places are the client's own.
  ///   - favoured: the users for whom a part is reserved.
  /// - Returns: the limit that is reached.
  func excess(
    of caller: Caller, among users: [ConnectionUser], ofClient: Int,
    favoured: () -> [ConnectionUser] = FavouredUsers.now
  ) -> Excess? {
    guard ofClient < perClient else { return .client(limit: perClient) }
    guard Self.count(of: caller.user, in: users) < perUser else { return .user(limit: perUser) }
    guard users.count < inAll else { return .all(limit: inAll) }
    let share = reserved
    // The favoured users are read from a file: only if it may matter.
    guard users.count + 2 * share >= inAll else { return nil }
    var free = inAll - users.count
    for user in favoured() where user != caller.user {
      free -= max(share - Self.count(of: user, in: users), 0)
    }
    return free > 0 ? nil : .all(limit: inAll)
  }

  /// The same, with the caller of each place in use.
  func excess(of caller: Caller, among callers: [Caller]) -> Excess? {
    excess(of: caller, among: callers.map { $0.user }, ofClient: callers.count { $0.client == caller.client })
  }

  /// How much is reserved for each favoured user.
  private var reserved: Int { min(perUser, inAll / 4) }

  private static func count(of user: ConnectionUser, in users: [ConnectionUser]) -> Int {
    users.count { $0 == user }
  }
}

extension ConnectionUser {
  /// Whether it is one of some users.
  func isOne(of users: [UInt32]) -> Bool {
    if case .user(let id) = self { users.contains(id) } else { false }
  }
}

extension BusError {
  /// The error for a client that wants more than its limit.
  static func limitsExceeded(_ message: String) -> BusError {
    BusError(name: BusError.Name.limitsExceeded, message: message)
  }

  /// The error for an argument that is wrong.
  static func invalidArguments(_ message: String) -> BusError {
    BusError(name: BusError.Name.invalidArguments, message: message)
  }

  /// The error for what needs a sensor that is not there, or not read.
  static func sensorUnavailable(_ message: String) -> BusError {
    BusError(name: ServiceErrorName.sensorUnavailable, message: message)
  }

  /// The error if too many calls wait.
  ///
  /// - Parameters:
  ///   - excess: which limit is reached.
  ///   - what: what the calls wait for.
  init(_ excess: UserAccounts.Excess, ofCallsThatWaitFor what: String) {
    let message =
      switch excess {
      case .client(let limit):
        "\(limit) calls of this client wait for \(what) already; await their answers first."
      case .user(let limit):
        "\(limit) calls of this user wait for \(what) already; await their answers first."
      case .all(let limit):
        "The limit of \(limit) calls that wait for \(what) is reached for this user; try again in a moment."
      }
    self = .limitsExceeded(message)
  }
}
