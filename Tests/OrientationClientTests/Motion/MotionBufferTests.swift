// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationClient

@Suite("What a loop over motion has not taken yet")
struct MotionBufferTests {
  /// Takes everything that waits.
  private func all(of buffer: MotionBuffer<Int>) -> [MotionUpdate<Int>] {
    var updates: [MotionUpdate<Int>] = []
    while let update = buffer.take() { updates.append(update) }
    return updates
  }

  @Test("comes in its order, each state once")
  func order() {
    let buffer = MotionBuffer<Int>()
    for update in [.state(.starting), .state(.starting), .state(.active), .value(1), .lost(2), .value(3)]
      as [MotionUpdate<Int>]
    {
      buffer.add(update)
    }
    #expect(all(of: buffer) == [.state(.starting), .state(.active), .value(1), .lost(2), .value(3)])
    buffer.add(.state(.active))
    #expect(all(of: buffer).isEmpty)
  }

  @Test("is limited: the oldest values are dropped and counted, the newest and the states are kept")
  func limit() {
    let buffer = MotionBuffer<Int>()
    buffer.add(.state(.active))
    for number in 1...1000 { buffer.add(.value(number)) }
    buffer.add(.state(.suspended))
    let kept = MotionBuffer<Int>.capacity - 2
    let updates = all(of: buffer)
    #expect(updates.first == .lost(1000 - kept))
    #expect(updates.dropFirst().first == .state(.active))
    #expect(Array(updates.dropFirst(2).dropLast()) == (1001 - kept...1000).map { MotionUpdate.value($0) })
    #expect(updates.last == .state(.suspended))
    buffer.add(.value(7))
    #expect(all(of: buffer) == [.value(7)], "a loss is reported once")
  }

  @Test("counts what the daemon has lost with what it drops itself")
  func losses() {
    let buffer = MotionBuffer<Int>()
    buffer.add(.lost(5))
    for number in 1...MotionBuffer<Int>.capacity + 1 { buffer.add(.value(number)) }
    #expect(buffer.take() == .lost(6))
    #expect(buffer.take() == .value(2))
  }

  @Test("is limited also if there are only states, of which the newest are kept")
  func states() {
    let buffer = MotionBuffer<Int>()
    for _ in 0..<1000 {
      buffer.add(.state(.starting))
      buffer.add(.state(.active))
    }
    let updates = all(of: buffer)
    #expect(updates.count == MotionBuffer<Int>.capacity)
    #expect(updates.last == .state(.active))
  }
}
