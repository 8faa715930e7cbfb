// SPDX-License-Identifier: Apache-2.0

// Calls that change the screen cost more than the caller's own time: a question to polkit, a write to the disk, a signal to all
// clients. So each client has a token bucket: a call takes a token, and the bucket is refilled with time. Each user has one too, as
// a user can have hundreds of clients. Buckets are refilled when a call comes; there is no timer.

import IIO
import Orientation
import Systemd

/// How many costly calls each client and each user may still make.
struct CallBudget {
  /// How many calls a client may make at once: more than any hand on a button or slider.
  static let burst = 100
  /// How many a client may make each second in the long run.
  static let callsPerSecond = 20.0
  /// How many times as many all clients of a user may make: enough for a shell, its settings and some apps at their limits.
  static let clientsOfUser = 4
  /// How many clients and users have a bucket at most.
  static let capacity = 64

  /// The owner of a bucket.
  enum Holder: Equatable {
    case client(String)
    case user(ConnectionUser)

    var clients: Double {
      switch self {
      case .client: 1
      case .user: Double(CallBudget.clientsOfUser)
      }
    }
  }

  /// The tokens that were taken and not yet refilled, as of a time.
  ///
  /// Full buckets are not kept.
  struct Bucket {
    let holder: Holder
    var taken: Double
    var time: BootTime

    var isEmpty: Bool { taken + 1 > holder.clients * Double(CallBudget.burst) }

    /// The tokens taken, for each client that the bucket is meant for.
    var share: Double { taken / holder.clients }

    mutating func refill(at now: BootTime) {
      let seconds = max(now.seconds(since: time), 0)
      taken = max(taken - seconds * CallBudget.callsPerSecond * holder.clients, 0)
      time = now
    }
  }

  private(set) var buckets: [Bucket] = []

  /// Takes a token from a client's bucket, and one from its user's.
  ///
  /// - Parameters:
  ///   - caller: the client and its user.
  ///   - now: the present time.
  /// - Returns: whether both had a token left. If not, none is taken.
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

  /// Removes the fullest bucket if there is no room: this gives away the fewest tokens, and fewer than a new client gets.
  private mutating func makeRoom() {
    guard buckets.count >= Self.capacity else { return }
    guard let least = buckets.indices.min(by: { buckets[$0].share < buckets[$1].share }) else { return }
    buckets.remove(at: least)
  }
}

extension BusError {
  /// The error for a client that calls too often.
  ///
  /// - Parameters:
  ///   - verb: what it has done, such as `has made`.
  ///   - what: too many of what.
  /// - Returns: the error.
  static func tooFast(_ verb: String, _ what: String) -> BusError {
    .limitsExceeded(
      "This client or its user \(verb) too many \(what) in a moment; wait a second. A client may have \(CallBudget.burst) at once and"
        + " \(Int(CallBudget.callsPerSecond)) a second after that, all clients of a user \(CallBudget.clientsOfUser) times as many."
    )
  }
}
