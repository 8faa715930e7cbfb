// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport
import Testing

@testable import OrientationService

@Suite struct UserAccountsTests {
  private let accounts = UserAccounts(perClient: 3, perUser: 16, inAll: 64)

  /// What users have in use; an answer that is nil is a place more.
  private struct Use {
    let accounts: UserAccounts
    var users: [ConnectionUser] = []
    var favoured: [ConnectionUser] = [.user(0), .user(1000)]

    mutating func take(_ user: ConnectionUser, ofClient: Int = 0) -> UserAccounts.Excess? {
      let excess = accounts.excess(
        of: Caller(client: ":1.1", user: user), among: users, ofClient: ofClient, favoured: { favoured })
      if excess == nil { users.append(user) }
      return excess
    }

    mutating func takeAll(_ user: ConnectionUser) -> Int {
      var taken = 0
      while take(user) == nil { taken += 1 }
      return taken
    }
  }

  @Test func `a client has its limit, and so has its user`() {
    var use = Use(accounts: accounts)
    #expect(use.take(.user(7), ofClient: 2) == nil)
    #expect(use.take(.user(7), ofClient: 3) == .client(limit: 3))
    #expect(use.takeAll(.user(7)) == 15)
    #expect(use.take(.user(7)) == .user(limit: 16))
    #expect(use.take(.user(8)) == nil)
  }

  @Test func `whatever others use, root and the user before the screen have their shares`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      var use = Use(accounts: accounts)
      for _ in 0..<Int.random(in: 0...300, using: &random) {
        _ = use.take(Bool.random(using: &random) ? .user(.random(in: 1001...1020, using: &random)) : .unknown)
      }
      #expect(use.users.count <= 32)
      // One before the other, whichever.
      let order: [ConnectionUser] =
        Bool.random(using: &random) ? [.user(0), .user(1000)] : [.user(1000), .user(0)]
      #expect(use.takeAll(order[0]) == 16)
      #expect(use.takeAll(order[1]) == 16)
      #expect(use.users.count <= 64)
    }
  }

  @Test func `what the favoured use themselves is not kept free for them any more`() {
    var use = Use(accounts: accounts)
    #expect(use.takeAll(.user(0)) == 16)
    #expect(use.takeAll(.user(1000)) == 16)
    #expect(use.takeAll(.user(5)) + use.takeAll(.user(6)) == 32)
    #expect(use.take(.user(7)) == .all(limit: 64))
  }

  @Test func `where nobody has logged in, root's share alone is kept free`() {
    var use = Use(accounts: accounts, favoured: [.user(0)])
    for user: UInt32 in 1...10 { _ = use.takeAll(.user(user)) }
    #expect(use.users.count == 48)
    #expect(use.takeAll(.user(0)) == 16)
  }

  @Test func `who sits before the screen is looked up only where it matters`() throws {
    var lookups = 0
    let caller = Caller(client: ":1.1", user: .user(5))
    func check(inUse count: Int) {
      let users = (0..<count).map { ConnectionUser.user(100 + UInt32($0)) }
      _ = accounts.excess(of: caller, among: users, ofClient: 0) {
        lookups += 1
        return []
      }
    }
    for count in 0..<32 { check(inUse: count) }
    #expect(lookups == 0)
    check(inUse: 32)
    #expect(lookups == 1)
  }
}
