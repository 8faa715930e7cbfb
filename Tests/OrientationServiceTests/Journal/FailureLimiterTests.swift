// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@testable import OrientationService

private func failure(_ code: CInt) -> SourceError { .system(operation: "reading", code: code) }

private func minute(_ minutes: Int64) -> BootTime { BootTime(nanoseconds: minutes * 60_000_000_000) }

/// `#expect` cannot call what changes the value.
private func expect(_ news: Bool, _ isExpected: Bool, at location: SourceLocation = #_sourceLocation) {
  #expect(news == isExpected, sourceLocation: location)
}

@Suite("What the journal is told of failures")
struct FailureLimiterTests {
  @Test("each failure is told once, however long it lasts, and its end is told once")
  func once() {
    var told = FailureLimiter<SourceError>()
    expect(told.shouldLogRecovery(), false)
    expect(told.shouldLog(failure(1), at: minute(0)), true)
    for time in 1...200 { expect(told.shouldLog(failure(1), at: minute(Int64(time))), false) }
    expect(told.shouldLogRecovery(), true)
    expect(told.shouldLogRecovery(), false)
  }

  @Test("one that comes and goes is told once an hour, with one recovery")
  func flapping() {
    var told = FailureLimiter<SourceError>()
    var failures = 0
    var recoveries = 0
    for time in 0..<180 {
      if told.shouldLog(failure(1), at: minute(Int64(time))) { failures += 1 }
      if told.shouldLogRecovery() { recoveries += 1 }
    }
    #expect(failures == 3)
    #expect(recoveries == 3)
  }

  @Test("of failures that are all different, four are told in an hour")
  func different() {
    var told = FailureLimiter<SourceError>()
    let news = (0..<59).filter { time in
      defer { _ = told.shouldLogRecovery() }
      return told.shouldLog(failure(CInt(time)), at: minute(Int64(time)))
    }
    #expect(news == [0, 1, 2, 3])
    expect(told.shouldLog(failure(100), at: minute(60)), true)
  }
}
