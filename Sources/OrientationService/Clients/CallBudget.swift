// SPDX-License-Identifier: Apache-2.0

// Calls that change the screen cost more than the caller's own time: a question to polkit, a write to the disk, an
// announcement to everybody. So each client has a bucket of tokens, a call takes one, and they are refilled with time. So has
// each user, as a user can have hundreds of clients. The clock is looked at when a call comes; nothing wakes up to refill.

import IIO
import Orientation
import Systemd

/// How many costly calls each client and each user may still make.
struct CallBudget {
  /// How many calls a client may make at once: more than any hand on a button or slider.
  static let burst = 100
  /// How many it may make a second in the long run.
  static let callsPerSecond = 20.0
  /// How many times as much the clients of one user may together: a shell, its settings and some apps at their limits.
  static let clientsOfUser = 4
  /// How many clients and users are kept in mind.
  static let capacity = 64

  /// Whose tokens they are.
  private enum Holder: Equatable {
    case client(String)
    case user(ConnectionUser)

    var clients: Double {
      switch self {
      case .client: 1
      case .user: Double(CallBudget.clientsOfUser)
      }
    }
  }

  /// What has been taken and was not refilled yet, as of a time; nobody is kept who has taken nothing.
  private struct Bucket {
    let holder: Holder
    var taken: Double
    var time: BootTime

    var isEmpty: Bool { taken + 1 > holder.clients * Double(CallBudget.burst) }

    /// How much of its own the holder has used.
    var share: Double { taken / holder.clients }

    mutating func refill(at now: BootTime) {
      let seconds = max(now.seconds(since: time), 0)
      taken = max(taken - seconds * CallBudget.callsPerSecond * holder.clients, 0)
      time = now
    }
  }

  private var buckets: [Bucket] = []

  /// The number of clients and users that are kept in mind.
  var holderCount: Int { buckets.count }

  /// Takes a token of a client, and one of its user.
  ///
  /// - Parameters:
  ///   - caller: the client and its user.
  ///   - now: the present time.
  /// - Returns: whether both had one left; else nothing is taken.
  mutating func take(of caller: Caller, at now: BootTime = .now) -> Bool {
    for index in buckets.indices { buckets[index].refill(at: now) }
    buckets.removeAll { $0.taken == 0 }
    let holders = [Holder.client(caller.client), .user(caller.user)]
    guard !buckets.contains(where: { holders.contains($0.holder) && $0.isEmpty }) else { return false }
    for holder in holders { takeOne(of: holder, at: now) }
    return true
  }

  private mutating func takeOne(of holder: Holder, at now: BootTime) {
    if let index = buckets.firstIndex(where: { $0.holder == holder }) {
      buckets[index].taken += 1
    } else {
      makeRoom()
      buckets.append(Bucket(holder: holder, taken: 1, time: now))
    }
  }

  /// Forgets who has taken least, if there is no room: that gives away least, and less than a new connection gets.
  private mutating func makeRoom() {
    guard buckets.count >= Self.capacity else { return }
    guard let least = buckets.indices.min(by: { buckets[$0].share < buckets[$1].share }) else { return }
    buckets.remove(at: least)
  }
}

extension BusError {
  /// What a client is told that calls too often.
  ///
  /// - Parameters:
  ///   - verb: what it has done, such as `has made`.
  ///   - what: too many of what.
  /// - Returns: the error.
  static func tooFast(_ verb: String, _ what: String) -> BusError {
    BusError(
      name: ServiceErrorName.limitsExceeded,
      message:
        "This client or its user \(verb) too many \(what) in a moment; wait a second. A client has \(CallBudget.burst) at once and"
        + " \(Int(CallBudget.callsPerSecond)) a second after that, all of a user \(CallBudget.clientsOfUser) times as many."
    )
  }
}
