// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import IIO

private func second(_ seconds: Int64) -> BootTime { BootTime(nanoseconds: seconds * 1_000_000_000) }

@Suite("The pause before a sensor is tried again")
struct RetryBackoffTests {
  @Test("doubles from 1 s to 30 s, and starts again when it is reset")
  func growth() {
    var pause = RetryBackoff()
    let pauses = (0..<7).map { _ in pause.next(at: second(0)) }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30])
    pause.reset()
    #expect(pause.next(at: second(0)) == 1)
  }

  @Test("may be another")
  func others() {
    var pause = RetryBackoff(from: 10, upTo: 300)
    #expect((0..<7).map { _ in pause.next(at: second(0)) } == [10, 20, 40, 80, 160, 300, 300])
  }

  @Test("starts again after a success that lasted 30 s, and not after a shorter one")
  func success() {
    var pause = RetryBackoff()
    for _ in 0..<4 { _ = pause.next(at: second(0)) }
    pause.succeeded(at: second(10))
    #expect(pause.next(at: second(39)) == 16)
    pause.succeeded(at: second(60))
    #expect(pause.next(at: second(90)) == 1)
    #expect(pause.next(at: second(200)) == 2)
  }
}
