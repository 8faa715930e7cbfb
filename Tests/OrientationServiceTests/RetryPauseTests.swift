// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationService

@Suite("The pause before a sensor is tried again")
struct RetryPauseTests {
  @Test("doubles from 1 s to 30 s, and starts again after a success")
  func growth() {
    var pause = RetryPause()
    let pauses = (0..<7).map { _ in pause.next() }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30])
    pause.reset()
    #expect(pause.next() == 1)
  }
}
