// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import OrientationService

/// Counts how many of it live.
private final class Counted: Sendable {
  static let living = Atomic<Int>(0)
  let number: Int

  init(_ number: Int) {
    self.number = number
    Self.living.add(1, ordering: .relaxed)
  }

  deinit { Self.living.subtract(1, ordering: .relaxed) }
}

private final class Shared: Sendable {
  let mailbox = Mailbox<Counted>()
}

@Suite("A mailbox between two threads", .serialized)
struct MailboxTests {
  @Test("holds the latest, once")
  func latest() {
    let mailbox = Mailbox<Int>()
    #expect(mailbox.take() == nil)
    mailbox.put(1)
    mailbox.put(2)
    #expect(mailbox.take() == 2)
    #expect(mailbox.take() == nil)
  }

  @Test("keeps the order between threads, ends with the last, and nothing stays behind")
  func threads() {
    do {
      let shared = Shared()
      let last = 20_000
      Thread { for number in 1...last { shared.mailbox.put(Counted(number)) } }.start()
      var taken = 0
      while taken < last {
        guard let next = shared.mailbox.take() else { continue }
        #expect(next.number > taken)
        taken = next.number
      }
      shared.mailbox.put(Counted(0))
    }
    // The thread may be on its way out still.
    while Counted.living.load(ordering: .relaxed) > 0 { usleep(1000) }
  }
}
