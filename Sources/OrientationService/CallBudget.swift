// SPDX-License-Identifier: Apache-2.0

// Calls that change the screen cost more than the caller's own time: a question to polkit, a write to the disk, an
// announcement to everybody. So each client has a bucket of tokens, a call takes one, and they are refilled with time. The
// clock is looked at when a call comes; nothing wakes up to refill.

import IIO
import Orientation

/// How many costly calls each client may still make.
struct CallBudget {
  /// How many calls a client may make at once: more than any hand on a button or slider.
  static let burst = 100
  /// How many it may make a second in the long run.
  static let callsPerSecond = 20.0
  /// How many clients are kept in mind.
  static let capacity = 64

  /// What a client has taken and was not refilled yet, as of a time; nobody is kept who has taken nothing.
  private struct Bucket {
    let client: String
    var taken: Double
    var time: BootTime

    mutating func refill(at now: BootTime) {
      taken = max(taken - max(now.seconds(since: time), 0) * CallBudget.callsPerSecond, 0)
      time = now
    }
  }

  private var buckets: [Bucket] = []

  /// The number of clients that are kept in mind.
  var clientCount: Int { buckets.count }

  /// Takes a token of a client.
  ///
  /// - Parameters:
  ///   - client: its unique name.
  ///   - now: the present time.
  /// - Returns: whether it had one left.
  mutating func take(of client: String, at now: BootTime = .now) -> Bool {
    for index in buckets.indices { buckets[index].refill(at: now) }
    buckets.removeAll { $0.taken == 0 && $0.client != client }
    guard let index = buckets.firstIndex(where: { $0.client == client }) else {
      makeRoom()
      buckets.append(Bucket(client: client, taken: 1, time: now))
      return true
    }
    guard buckets[index].taken + 1 <= Double(Self.burst) else { return false }
    buckets[index].taken += 1
    return true
  }

  /// Forgets who has taken least, if there is no room: that gives away least, and less than a new connection gets.
  private mutating func makeRoom() {
    guard buckets.count >= Self.capacity else { return }
    guard let least = buckets.indices.min(by: { buckets[$0].taken < buckets[$1].taken }) else { return }
    buckets.remove(at: least)
  }
}
