// SPDX-License-Identifier: Apache-2.0

import CFaults
import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A polled sensor at rest")
struct PolledRestTests {
  init() { useMockKernel() }

  @Test("is read on the two axes that gravity is least along, and on the third once in a while")
  func twoAxes() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      var source = try PolledSource(try #require(try onlySensor()), rate: 25)
      let wakeUp = try WakeUpEvent()
      let path = "/sys/bus/iio/devices/iio:device0/in_accel_y_raw"
      faults_set(try #require(descriptors(ofPath: "in_accel_y_raw").first), EIO)
      wakeUp.signal(after: 0.8)
      try expectEqual(source.next(leaving: rest(0, 1, 0), interruptedBy: wakeUp), nil)
      wakeUp.drain()
      #expect(throws: SourceError.system(operation: "reading \(path)", code: EIO)) {
        _ = try source.next(leaving: rest(0, 1, 0), interruptedBy: wakeUp)
      }
      _ = consume kernel
    }
  }

  @Test(
    "delivers the first reading off the rest with all its axes, and goes on at its rate without a missed tick"
  )
  func leaves() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes(x: "-30", y: "1000", z: "7"))
      var source = try PolledSource(try #require(try onlySensor()), rate: 5)
      let wakeUp = try WakeUpEvent()
      let start = BootTime.now
      let moved = try #require(try source.next(leaving: rest(0, 1, 0), interruptedBy: wakeUp))
      expectEqual(moved.acceleration, Acceleration(x: -30 * 0.009577, y: 1000 * 0.009577, z: 7 * 0.009577))
      #expect(moved.time.seconds(since: start) >= 0.15)
      let following = try #require(try source.next(interruptedBy: wakeUp))
      #expect(following.time.seconds(since: moved.time) >= 0.19)
      _ = consume kernel
    }
  }

  @Test("that was turned over wholly between two looks is noticed by its third axis")
  func turnedOver() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      var source = try PolledSource(try #require(try onlySensor()), rate: 25)
      let moved = try source.next(leaving: rest(0, 1, 0), interruptedBy: try WakeUpEvent())
      expectEqual(moved?.acceleration.y, -1024 * 0.009577)
      _ = consume kernel
    }
  }
}
