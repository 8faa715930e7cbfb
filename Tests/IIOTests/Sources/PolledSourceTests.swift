// SPDX-License-Identifier: Apache-2.0

import CFaults
import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A polled sensor")
struct PolledSourceTests {
  init() { useMockKernel() }

  @Test("delivers scaled samples, the first at once, and follows the sensor")
  func scaled() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes(x: "-12", y: "1024", z: "7"))
      var source = try PolledSource(try #require(try onlySensor()), rate: 1000)
      let wakeUp = try WakeUpEvent()
      let first = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(first.acceleration, Acceleration(x: -12 * 0.009577, y: 1024 * 0.009577, z: 7 * 0.009577))
      kernel.set("in_accel_y_raw", of: chipPath, to: "-1000")
      let second = try #require(try source.next(interruptedBy: wakeUp))
      expectEqual(second.acceleration.y, -1000 * 0.009577)
      #expect(second.time > first.time)
    }
  }

  @Test("sets the sensor to the nearest frequency at or above the rate")
  func frequency() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let source = try PolledSource(try #require(try onlySensor()), rate: 30)
      expectEqual(source.sampleRate, 30)
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "50.0")
    }
  }

  @Test("has a scale and an offset for each axis where the driver says so")
  func perAxis() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: unequalChipAttributes())
      var source = try PolledSource(try #require(try onlySensor()), rate: 25)
      let sample = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(sample?.acceleration, Acceleration(x: 6, y: 1.375, z: 20))
    }
  }

  @Test("may show m/s^2 only, without raw values and scale")
  func processed() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let attributes = [
        "name": "processed", "in_accel_x_input": "-0.123456", "in_accel_y_input": "9.806650",
        "in_accel_z_input": "0",
      ]
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try PolledSource(try #require(try onlySensor()), rate: 25)
      let sample = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(sample?.acceleration, Acceleration(x: -0.123456, y: 9.80665, z: 0))
    }
  }

  @Test(
    "whose scale and offset are its type's, those of all inputs, or the device's, as of Chromebooks, has them applied"
  )
  func sharedScale() async {
    await #expect(processExitsWith: .success) {
      for prefix in ["in_accel_", "in_", ""] {
        let kernel = MockKernel()
        var attributes = chipAttributes(x: "16", y: "16384", z: "-20")
        attributes["in_accel_scale"] = nil
        attributes["\(prefix)scale"] = "0.001"
        attributes["\(prefix)offset"] = "4"
        kernel.addDevice("iio:device0", attributes: attributes)
        var source = try PolledSource(try #require(try onlySensor()), rate: 25)
        let sample = try source.next(interruptedBy: try WakeUpEvent())
        expectEqual(sample?.acceleration, Acceleration(x: 0.02, y: 16.388, z: -0.016), "\(prefix)scale")
      }
    }
  }

  @Test("without a scale is refused by the missing file's name")
  func noScale() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = chipAttributes()
      attributes["in_accel_scale"] = nil
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      #expect(throws: SourceError.missingAttribute(path: "/sys/bus/iio/devices/iio:device0/in_accel_x_scale"))
      {
        _ = try PolledSource(sensor, rate: 25)
      }
    }
  }

  @Test("with a scale that is no number, or zero, is refused with the text")
  func wrongScale() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let sensor = try #require(try onlySensor())
      let path = "/sys/bus/iio/devices/iio:device0/in_accel_scale"
      for (text, reason) in [
        ("many", "a number was expected"), ("0", "a scale other than zero was expected"),
      ] {
        kernel.set("in_accel_scale", of: chipPath, to: text)
        #expect(throws: SourceError.malformed(path: path, text: text, reason: reason)) {
          _ = try PolledSource(sensor, rate: 25)
        }
      }
    }
  }

  @Test("that reads something other than a number ends with the file and the text")
  func notANumber() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      var source = try PolledSource(try #require(try onlySensor()), rate: 1000)
      let wakeUp = try WakeUpEvent()
      kernel.set("in_accel_y_raw", of: chipPath, to: "up")
      let path = "/sys/bus/iio/devices/iio:device0/in_accel_y_raw"
      #expect(throws: SourceError.malformed(path: path, text: "up", reason: "a number was expected")) {
        _ = try source.next(interruptedBy: wakeUp)
      }
    }
  }

  @Test("that vanishes, or fails, ends with what its driver said")
  func driverErrors() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      var source = try PolledSource(try #require(try onlySensor()), rate: 1000)
      let wakeUp = try WakeUpEvent()
      #expect(try source.next(interruptedBy: wakeUp) != nil)
      let path = "/sys/bus/iio/devices/iio:device0/in_accel_y_raw"
      let file = try #require(descriptors(ofPath: "in_accel_y_raw").first)
      for (code, error) in [
        (ENODEV, SourceError.vanished(device: path)), (EBUSY, .busy(device: path)),
        (EACCES, .permissionDenied(path: path)), (EIO, .system(operation: "reading \(path)", code: EIO)),
      ] {
        faults_set(file, code)
        #expect(throws: error) { _ = try source.next(interruptedBy: wakeUp) }
      }
      faults_set(file, 0)
      #expect(try source.next(interruptedBy: wakeUp) != nil)
    }
  }

  @Test("that is gone before it is opened is refused")
  func gone() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let sensor = try #require(try onlySensor())
      kernel.remove(chipPath)
      #expect(throws: SourceError.vanished(device: "kxcjk1013 (iio:device0)")) {
        _ = try PolledSource(sensor, rate: 25)
      }
    }
  }

  @Test("closes its files when it is destroyed, also when it could not be opened")
  func closes() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let sensor = try #require(try onlySensor())
      let source = try PolledSource(sensor, rate: 25)
      expectEqual(descriptors(ofPath: "_raw").count, 3)
      _ = consume source
      kernel.set("in_accel_scale", of: chipPath, to: "x")
      #expect(throws: SourceError.self) { _ = try PolledSource(sensor, rate: 25) }
      expectEqual(descriptors(ofPath: "_raw").count, 0)
    }
  }

  @Test("ends its wait when it is woken up")
  func wakeUp() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      var source = try PolledSource(try #require(try onlySensor()), rate: 0.1)
      let wakeUp = try WakeUpEvent()
      #expect(try source.next(interruptedBy: wakeUp) != nil)
      wakeUp.signal()
      try expectEqual(source.next(interruptedBy: wakeUp), nil)
      wakeUp.drain()
    }
  }
}
