// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIO

@Suite("The trust in a sensor whose frequency is changed for a rest")
struct ChangeTrustTests {
  private func isLost(after seconds: [Double]) -> Bool {
    var trust = ChangeTrust()
    for time in seconds { trust.changed(in: time) }
    return trust.isLost
  }

  @Test("is not lost by a moment in which the machine is busy, however often there is one")
  func busy() {
    #expect(!isLost(after: [0.2]))
    #expect(!isLost(after: (0..<100).flatMap { _ in [0.2, 0.2, 0.001] }))
  }

  @Test("is lost after three slow changes in a row")
  func slow() {
    #expect(!isLost(after: [0.001, 0.06, 0.06]))
    #expect(isLost(after: [0.001, 0.06, 0.06, 0.06]))
  }

  @Test("is lost at once if the sensor hangs")
  func hanging() {
    #expect(isLost(after: [5]))
  }

  @Test("stays lost")
  func lost() {
    #expect(isLost(after: [5, 0.001]))
  }
}
