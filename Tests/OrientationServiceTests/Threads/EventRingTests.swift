// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import OrientationService

/// Holds the ring for two threads.
private final class SharedRing: Sendable {
  let ring = EventRing<String>(capacity: 8)
}

@Suite("The queue between the sampler and the main thread")
struct EventRingTests {
  @Test("what is pushed comes out in order, and a full queue refuses instead of losing")
  func order() {
    let ring = EventRing<Int>(capacity: 3)
    for round in 0..<10 {
      let pushes = [ring.push(round), ring.push(round + 100), ring.push(round + 200), ring.push(-1)]
      #expect(pushes == [true, true, true, false])
      let pops = [ring.pop(), ring.pop(), ring.pop(), ring.pop()]
      #expect(pops == [round, round + 100, round + 200, nil])
    }
  }

  @Test("two threads at full speed lose nothing and reorder nothing")
  func threads() {
    let shared = SharedRing()
    let count = 200_000
    let producer = Thread {
      for number in 0..<count {
        while !shared.ring.push("event \(number)") { sched_yield() }
      }
    }
    producer.start()
    var wrong = 0
    for number in 0..<count {
      var event = shared.ring.pop()
      while event == nil {
        sched_yield()
        event = shared.ring.pop()
      }
      if event != "event \(number)" { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(shared.ring.pop() == nil)
  }
}
