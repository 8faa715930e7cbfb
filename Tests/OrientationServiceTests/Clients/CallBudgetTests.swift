// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import Testing

@testable import OrientationService

/// A budget that expectations can take from.
private final class Budget {
  private var budget = CallBudget()

  func take(of client: String, user: UInt32 = 1000, at time: BootTime) -> Bool {
    budget.take(of: Caller(client: client, user: .user(user)), at: time)
  }
  var holderCount: Int { budget.buckets.count }
}

@Suite struct CallBudgetTests {
  private let start = BootTime(nanoseconds: 1_000_000_000_000)

  @Test func `a client may make 100 calls at once, and not one more`() {
    let budget = Budget()
    for _ in 0..<100 { #expect(budget.take(of: ":1.1", at: start)) }
    #expect(!budget.take(of: ":1.1", at: start))
    #expect(budget.take(of: ":1.2", at: start))
  }

  @Test func `of 20 more a second, none comes early`() {
    let budget = Budget()
    while budget.take(of: ":1.1", at: start) {}
    var taken = 0
    for step in 1...1000 where budget.take(of: ":1.1", at: start.advanced(bySeconds: Double(step) / 100)) {
      taken += 1
    }
    // In 10 s; one less where halves of a nanosecond are lost.
    #expect((199...200).contains(taken))
    #expect(!budget.take(of: ":1.1", at: start.advanced(bySeconds: 10)))
  }

  @Test func `after 5 s without a call, all 100 can be made again`() {
    let budget = Budget()
    while budget.take(of: ":1.1", at: start) {}
    let later = start.advanced(bySeconds: 5)
    for _ in 0..<100 { #expect(budget.take(of: ":1.1", at: later)) }
    #expect(!budget.take(of: ":1.1", at: later))
  }

  @Test func `who is refilled is forgotten`() {
    let budget = Budget()
    for client in 0..<10 { _ = budget.take(of: ":1.\(client)", at: start) }
    // And their user.
    #expect(budget.holderCount == 11)
    #expect(budget.take(of: ":1.99", user: 1001, at: start.advanced(bySeconds: 0.126)))
    #expect(budget.holderCount == 2)
  }

  @Test func `no number of clients makes it grow, and those who have taken most stay known`() {
    let budget = Budget()
    while budget.take(of: ":1.0", at: start) {}
    for client in 1...1000 {
      #expect(budget.take(of: ":1.\(client)", user: UInt32(client), at: start))
      #expect(budget.holderCount <= CallBudget.capacity)
    }
    #expect(!budget.take(of: ":1.0", at: start))
  }

  @Test
  func `all clients of a user may make 400 calls at once and 80 a second; another user's are not concerned`()
  {
    let budget = Budget()
    var taken = 0
    for client in 1...50 {
      while budget.take(of: ":1.\(client)", at: start) { taken += 1 }
    }
    #expect(taken == 400)
    #expect(budget.take(of: ":1.99", user: 1001, at: start))
    for client in 101...200 where budget.take(of: ":1.\(client)", at: start.advanced(bySeconds: 1)) {
      taken += 1
    }
    #expect(taken == 480)
  }

  @Test func `a clock that goes back gives nothing`() {
    let budget = Budget()
    while budget.take(of: ":1.1", at: start) {}
    #expect(!budget.take(of: ":1.1", at: start.advanced(bySeconds: -100)))
    #expect(!budget.take(of: ":1.1", at: start.advanced(bySeconds: -99.97)))
  }
}
