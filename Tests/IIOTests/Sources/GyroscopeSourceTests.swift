// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A gyroscope")
struct GyroscopeSourceTests {
  init() { useMockKernel() }

  @Test("is described with its own frequencies, matrix and buffer, beside the accelerometer of its device")
  func description() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = sixAxesAttributes()
      attributes["in_anglvel_mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, 1"
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("iio:device1", attributes: chipAttributes())
      kernel.addDevice("trigger0", attributes: ["name": "imu-dev0"])
      let gyroscope = try #require(try onlyGyroscope())
      expectEqual(gyroscope.id, "iio:device0")
      expectEqual(gyroscope.isAccelerometer, false)
      expectEqual(gyroscope.mountMatrix, "0, 1, 0; 1, 0, 0; 0, 0, 1")
      expectEqual(gyroscope.availableFrequencies, .list([12.5, 25, 50, 100, 200]))
      expectEqual(gyroscope.buffering, .scanElements(trigger: "imu-dev0"))
      let accelerometer = try #require(try allSensors().first)
      expectEqual(accelerometer.mountMatrix, nil)
      expectEqual(gyroscope.isOfSameDevice(as: accelerometer), true)
    }
  }

  @Test("is polled in rad/s, at a frequency that is restored")
  func polled() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: gyroscopeAttributes(x: "1000", y: "-20", z: "3"))
      var source = try PolledSource(try #require(try onlyGyroscope()), rate: 90)
      expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "100.0")
      let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
      expectEqual(sample.acceleration, Acceleration(x: 1000 * 0.001, y: -20 * 0.001, z: 3 * 0.001))
      _ = consume source
      expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "25.000000")
    }
  }

  @Test("of a hub is sampled through its buffer, which is set up and restored")
  func buffered() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: gyroscopeHubAttributes())
      kernel.addDevice("trigger0", attributes: ["name": "gyro_3d-dev1"])
      var source = try BufferedSource(try #require(try onlyGyroscope()), rate: 200, blockDuration: 0.01)
      expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "200.0")
      expectEqual(kernel.attribute("scan_elements/in_anglvel_z_en", of: chipPath), "1")
      let now = BootTime.now.nanoseconds
      kernel.deliver(hubScan(1000, -20, 3, nanoseconds: now), to: "iio:device0")
      let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
      expectEqual(sample.time.nanoseconds, now)
      expectEqual(sample.acceleration, Acceleration(x: 1000 * 0.001, y: -20 * 0.001, z: 3 * 0.001))
      _ = consume source
      expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "10.000000")
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      expectEqual(kernel.attribute("scan_elements/in_anglvel_z_en", of: chipPath), "0")
    }
  }

  @Test("of a hub that is silent while nothing turns is asked, and its answer holds")
  func silentHub() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = gyroscopeHubAttributes()
      attributes["in_anglvel_z_raw"] = "5"
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", attributes: ["name": "gyro_3d-dev1"])
      var source = try BufferedSource(try #require(try onlyGyroscope()), rate: 25)
      let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
      expectEqual(sample.acceleration, Acceleration(x: 0, y: 0, z: 5 * 0.001))
    }
  }

  @Test("in the accelerometer's device is in the same scans, if it is wanted")
  func sharedBuffer() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: sixAxesAttributes())
      kernel.addDevice("trigger0", attributes: ["name": "imu-dev0"])
      let sensor = try #require(try onlySensor())
      let wakeUp = try WakeUpEvent()
      do {
        var source = try BufferedSource(sensor, rate: 100, blockDuration: 0.01, withRates: true)
        expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "100.0")
        expectEqual(source.rates(), nil)
        let now = BootTime.now.nanoseconds
        kernel.deliver(sixAxesScan([1, 2, 3, 4, -5, 6], nanoseconds: now), to: "iio:device0")
        let sample = try #require(try source.next(interruptedBy: wakeUp))
        expectEqual(sample.time.nanoseconds, now)
        expectEqual(sample.acceleration, Acceleration(x: 0.009577, y: 2 * 0.009577, z: 3 * 0.009577))
        expectEqual(source.rates(), AngularVelocity(x: 4 * 0.001, y: -5 * 0.001, z: 6 * 0.001))
      }
      expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "25.000000")
      let source = try BufferedSource(sensor, rate: 100)
      expectEqual(kernel.attribute("scan_elements/in_anglvel_x_en", of: chipPath), "0")
      expectEqual(kernel.attribute("scan_elements/in_accel_x_en", of: chipPath), "1")
      expectEqual(source.rates(), nil)
    }
  }

  @Test("in the accelerometer's device is polled after it, and does not disturb it if it cannot be read")
  func sharedPolling() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = chipAttributes().merging(gyroscopeAttributes(x: "7")) { old, _ in old }
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try PolledSource(try #require(try onlySensor()), rate: 100, withRates: true)
      let wakeUp = try WakeUpEvent()
      _ = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(source.rates(), AngularVelocity(x: 7 * 0.001, y: 0, z: 0))
      kernel.set("in_anglvel_y_raw", of: chipPath, to: "none")
      _ = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(source.rates(), nil)
    }
  }

  @Test("in the accelerometer's device without a usable scale leaves the accelerometer as it is")
  func noScale() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = sixAxesAttributes()
      attributes["in_anglvel_scale"] = "0"
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", attributes: ["name": "imu-dev0"])
      let sensor = try #require(try onlySensor())
      let wakeUp = try WakeUpEvent()
      var polled = try PolledSource(sensor, rate: 100, withRates: true)
      _ = try #require(try polled.next(interruptedBy: wakeUp))
      expectEqual(polled.rates(), nil)
      _ = consume polled
      var buffered = try BufferedSource(sensor, rate: 100, blockDuration: 0.01, withRates: true)
      let now = BootTime.now.nanoseconds
      kernel.deliver(sixAxesScan([1, 2, 3], nanoseconds: now), to: "iio:device0")
      _ = try #require(try buffered.next(interruptedBy: wakeUp))
      expectEqual(kernel.attribute("scan_elements/in_anglvel_x_en", of: chipPath), "0")
      expectEqual(buffered.rates(), nil)
    }
  }

  @Test("whose buffer another program uses is polled, and nothing is set on the device")
  func takenBuffer() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let taken = gyroscopeHubAttributes().merging(["buffer/enable": "1"]) { $1 }
      kernel.addDevice("iio:device0", attributes: taken)
      kernel.addDevice("trigger0", attributes: ["name": "gyro_3d-dev1"])
      let gyroscope = try #require(try onlyGyroscope())
      #expect(throws: SourceError.self) { _ = try BufferedSource(gyroscope, rate: 200) }
      var source = try PolledSource(gyroscope, rate: 200)
      _ = try #require(try source.next(interruptedBy: try WakeUpEvent()))
      expectEqual(kernel.attribute("in_anglvel_sampling_frequency", of: chipPath), "10.000000")
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "1")
    }
  }
}
