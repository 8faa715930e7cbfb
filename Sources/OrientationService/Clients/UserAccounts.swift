// SPDX-License-Identifier: Apache-2.0

// How much clients can make the service keep: each client, each user and all together. Some of what all have together is kept free
// for root and for the user before the screen, so that others never use up what those need: a tablet that its owner cannot rotate
// is worse than a program of another user that has to wait.

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
  enum Excess: Error, Equatable {
    /// That of the client.
    case client(limit: Int)
    /// That of the client's user.
    case user(limit: Int)
    /// That of all.
    case all(limit: Int)
  }

  /// Checks whether a caller may use one more.
  ///
  /// - Parameters:
  ///   - caller: who wants it.
  ///   - users: the user of each place in use, the caller's own among them.
  ///   - ofClient: how many of the places are the client's own.
  ///   - favoured: for whom a part is kept free.
  /// - Throws: ``Excess``
  func check(
    _ caller: Caller, among users: [ConnectionUser], ofClient: Int,
    favoured: () -> [ConnectionUser] = FavouredUsers.now
  ) throws(Excess) {
    guard ofClient < perClient else { throw .client(limit: perClient) }
    guard Self.count(of: caller.user, in: users) < perUser else { throw .user(limit: perUser) }
    guard users.count < inAll else { throw .all(limit: inAll) }
    let share = keptFree
    // Who is favoured is looked up in a file: only where it may matter.
    guard users.count + 2 * share >= inAll else { return }
    var free = inAll - users.count
    for user in favoured() where user != caller.user {
      free -= max(share - Self.count(of: user, in: users), 0)
    }
    guard free > 0 else { throw .all(limit: inAll) }
  }

  /// How much is kept free for each favoured user.
  private var keptFree: Int { min(perUser, inAll / 4) }

  private static func count(of user: ConnectionUser, in users: [ConnectionUser]) -> Int {
    users.reduce(0) { $0 + ($1 == user ? 1 : 0) }
  }
}

extension BusError {
  /// What a client is told where too many calls wait.
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
        "Of the \(limit) calls that can wait for \(what), there is no room left for this user; try again in a moment."
      }
    self.init(name: ServiceErrorName.limitsExceeded, message: message)
  }
}
