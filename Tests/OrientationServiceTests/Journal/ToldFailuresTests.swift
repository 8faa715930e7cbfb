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
struct ToldFailuresTests {
  @Test("each failure is told once, however long it lasts, and its end is told once")
  func once() {
    var told = ToldFailures()
    expect(told.isRecoveryNews(), false)
    expect(told.isNews(failure(1), at: minute(0)), true)
    for time in 1...200 { expect(told.isNews(failure(1), at: minute(Int64(time))), false) }
    expect(told.isRecoveryNews(), true)
    expect(told.isRecoveryNews(), false)
  }

  @Test("one that comes and goes is told once an hour, with one recovery")
  func flapping() {
    var told = ToldFailures()
    var failures = 0
    var recoveries = 0
    for time in 0..<180 {
      if told.isNews(failure(1), at: minute(Int64(time))) { failures += 1 }
      if told.isRecoveryNews() { recoveries += 1 }
    }
    #expect(failures == 3)
    #expect(recoveries == 3)
  }

  @Test("of failures that are all different, four are told in an hour")
  func different() {
    var told = ToldFailures()
    let news = (0..<59).filter { time in
      defer { _ = told.isRecoveryNews() }
      return told.isNews(failure(CInt(time)), at: minute(Int64(time)))
    }
    #expect(news == [0, 1, 2, 3])
    expect(told.isNews(failure(100), at: minute(60)), true)
  }
}
