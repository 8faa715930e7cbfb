// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// For how long the whole machine, and not just one program, stood still: no program can be on time then.
final class Standstill: Sendable {
  private let isOver = Atomic(false)
  private let microseconds = Atomic<Int>(0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Begins to watch.
  ///
  /// A thread of its own pauses for 10 ms again and again. What a pause takes longer counts from 40 ms, the period of samples; less is
  /// only a busy processor.
  init() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        let start = ContinuousClock.now
        usleep(10_000)
        let late = ContinuousClock.now - start - .milliseconds(10)
        if late > .milliseconds(40) { microseconds.add(Int(late / .microseconds(1)), ordering: .relaxed) }
      }
      hasEnded.signal()
    }
  }

  /// Ends, and returns the sum, in seconds.
  func end() -> Double {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
    return Double(microseconds.load(ordering: .relaxed)) / 1e6
  }
}
