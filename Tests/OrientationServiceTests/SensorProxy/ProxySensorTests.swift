// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationService

@Suite("A kind of sensor between its sampler and SensorProxy")
struct ProxySensorTests {
  @Test("keeps its last reading when it is stopped and started, and loses it when it is lost or fails")
  func reading() {
    let sensor = ProxySensor()
    #expect(sensor.state == .absent)
    #expect(sensor.reading.heading == -1)
    for state in [SensorState.idle, .starting, .pointing(7), .idle, .starting] { sensor.report(state) }
    #expect(sensor.reading.heading == 7)
    sensor.report(.failed)
    #expect(sensor.reading.heading == -1)
    #expect(sensor.reading.isPresent)
    sensor.report(.pointing(8))
    sensor.report(.absent)
    #expect(sensor.reading.heading == -1)
    #expect(!sensor.reading.isPresent)
  }

  @Test("tells each change of its state once")
  func reports() {
    let sensor = ProxySensor()
    var count = 0
    sensor.whenReported = { count += 1 }
    for state in [SensorState.absent, .idle, .idle, .pointing(1), .pointing(1), .pointing(2)] {
      sensor.report(state)
    }
    #expect(count == 3)
  }

  @Test("is told once that somebody wants it, and once that nobody does")
  func wanted() {
    let sensor = ProxySensor()
    var wishes: [Bool] = []
    sensor.whenWanted = { wishes.append($0) }
    for isWanted in [false, true, true, false, false] { sensor.want(by: isWanted ? [":1.7"] : []) }
    #expect(wishes == [true, false])
  }

  @Test("is waited for while it has not said anything, and only then")
  func pending() {
    #expect(SensorState<Int>.idle.isPending)
    #expect(SensorState<Int>.starting.isPending)
    for state in [SensorState.absent, .failed, .active(1)] { #expect(!state.isPending) }
  }
}

extension SensorState<ProxyReading> {
  /// That of a compass with this heading.
  fileprivate static func pointing(_ degrees: Double) -> Self { .active(ProxyReading(heading: degrees)) }
}
