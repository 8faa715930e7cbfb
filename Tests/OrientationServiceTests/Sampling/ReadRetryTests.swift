// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@testable import OrientationService

private func time(_ seconds: Double) -> BootTime { BootTime(nanoseconds: 0).advanced(bySeconds: seconds) }

@Suite("How long a sensor that has delivered is retried")
struct ReadRetryTests {
  /// When a sensor has failed that fails from a time on, for ever.
  private func failure(of retry: inout ReadRetry, from start: Double) -> (time: Double, reads: Int) {
    var now = start
    var reads = 1
    while let pause = retry.pause(afterFailureAt: time(now)) {
      now += pause
      reads += 1
    }
    return (now, reads)
  }

  @Test("a sensor that fails for ever has failed after 2 s and some reads")
  func forEver() {
    var retry = ReadRetry()
    retry.succeeded(at: time(0))
    let (end, reads) = failure(of: &retry, from: 100)
    #expect(abs(end - 102) < 0.001)
    #expect(reads == 9)
  }

  @Test("the first pauses are short")
  func pauses() {
    var retry = ReadRetry()
    #expect(retry.pause(afterFailureAt: time(0)) == 0.05)
    #expect(retry.pause(afterFailureAt: time(0.05)) == 0.1)
    #expect(retry.pause(afterFailureAt: time(0.15)) == 0.2)
    #expect(retry.pause(afterFailureAt: time(0.35)) == 0.4)
    #expect(retry.pause(afterFailureAt: time(0.75)) == 0.4)
  }

  @Test("a sensor that has delivered for 2 s since a failure has the whole time again")
  func recovered() {
    var retry = ReadRetry()
    retry.succeeded(at: time(0))
    #expect(retry.pause(afterFailureAt: time(100)) == 0.05)
    retry.succeeded(at: time(100.1))
    #expect(retry.pause(afterFailureAt: time(102.1)) == 0.05)
    #expect(abs(failure(of: &retry, from: 102.15).time - 104.1) < 0.001)
  }

  @Test("a sensor that fails again and again after a good sample has failed 2 s after the first time")
  func failsAgain() {
    var retry = ReadRetry()
    var now = 0.0
    repeat {
      retry.succeeded(at: time(now))
      now += 0.3
      guard let pause = retry.pause(afterFailureAt: time(now)) else { break }
      #expect(pause <= 0.05)
      now += pause
    } while now < 100
    #expect(now > 2.3)
    #expect(now < 2.7)
    // Nor does a good sample after that bring a new time.
    retry.succeeded(at: time(now + 1))
    #expect(retry.pause(afterFailureAt: time(now + 1.5)) == nil)
    retry.succeeded(at: time(now + 3))
    #expect(retry.pause(afterFailureAt: time(now + 5)) == 0.05)
  }

  @Test("what does not pass is not retried")
  func lasting() {
    #expect(ReadRetry.mayPass(.system(operation: "reading", code: 5)))
    #expect(ReadRetry.mayPass(.malformed(path: "", text: "", reason: "")))
    #expect(ReadRetry.mayPass(.busy(device: "")))
    #expect(!ReadRetry.mayPass(.vanished(device: "")))
    #expect(!ReadRetry.mayPass(.noGravity(device: "", seconds: 1.5)))
    #expect(!ReadRetry.mayPass(.permissionDenied(path: "")))
    #expect(!ReadRetry.mayPass(.unreachable(host: "", reason: "")))
  }
}
