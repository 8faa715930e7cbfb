// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import IIO

private let flat = Rest(
  at: Acceleration(x: 0, y: 0, z: standardGravity), tolerance: Rest.leastTolerance * standardGravity)
private let turned = Acceleration<SensorFrame>(x: 0, y: standardGravity, z: 0)

@Suite("The trust in a chip's motion events")
struct EventTrustTests {
  @Test("is small before the first event: the sensor is read every 1.5 s, and after two minutes every 3 s")
  func untried() {
    let trust = EventTrust()
    #expect(trust.pause(afterResting: 0) == 1.5)
    #expect(trust.pause(afterResting: 119) == 1.5)
    #expect(trust.pause(afterResting: 121) == 3)
    #expect(trust.pause(afterResting: 1e6) == 3)
  }

  @Test("is large after an event: the sensor is read every 5 s, and after two minutes every 30 s")
  func tried() {
    var trust = EventTrust()
    trust.eventCame()
    #expect(trust.pause(afterResting: 119) == 5)
    #expect(trust.pause(afterResting: 121) == 30)
    #expect(!trust.isLost)
  }

  @Test("is lost after three turns in a row without an event, and not after two, one event, and two")
  func lost() {
    var trust = EventTrust()
    for _ in 0..<2 { trust.nothingCame(for: turned, leaving: flat, afterWaiting: 1.5) }
    #expect(!trust.isLost)
    trust.eventCame()
    for _ in 0..<2 { trust.nothingCame(for: turned, leaving: flat, afterWaiting: 1.5) }
    #expect(!trust.isLost)
    trust.nothingCame(for: turned, leaving: flat, afterWaiting: 1.5)
    #expect(trust.isLost)
  }

  @Test("is not lost by movements too slow for an event, but the next rest is read more often")
  func slow() {
    var trust = EventTrust()
    trust.eventCame()
    let tilted = Acceleration<SensorFrame>(x: 0.5 * standardGravity, y: 0, z: 0.86 * standardGravity)
    for _ in 0..<10 { trust.nothingCame(for: tilted, leaving: flat, afterWaiting: 1.5) }
    // In half a minute, a tablet can be turned without an event.
    for _ in 0..<10 { trust.nothingCame(for: turned, leaving: flat, afterWaiting: 30) }
    #expect(!trust.isLost)
    #expect(trust.pause(afterResting: 0) == 1.5)
  }
}
