// SPDX-License-Identifier: Apache-2.0

import CFaults
import Glibc
import IIO
import Orientation
import Testing

@Suite("A polled sensor")
struct PolledSourceTests {
  init() { useMockKernel() }

  @Test("delivers scaled samples")
  func scaled() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes(x: "-12", y: "1024", z: "7"))
      let sensor = try #require(try SensorSelection.localSensors { _ in UdevProperties() }.first)
      var source = try PolledSource(sensor, rate: 25)
      let wakeUp = try WakeUpEvent()
      let sample = try #require(try source.next(interruptedBy: wakeUp))
      #expect(sample.acceleration == Acceleration(x: -12 * 0.009577, y: 1024 * 0.009577, z: 7 * 0.009577))
    }
  }
}
