// SPDX-License-Identifier: Apache-2.0

import CFaults
import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A light sensor, proximity sensor or compass that is polled")
struct PolledValueTests {
  init() { useMockKernel() }

  @Test("is read at once, and then at its rate; a value follows the sensor")
  func follows() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightAndProximityAttributes())
      let catalog = try AmbientCatalog(near: nil)
      let wakeUp = try WakeUpEvent()
      let start = BootTime.now
      var light = try PolledValue(try #require(catalog.light))
      expectEqual(try light.next(interruptedBy: wakeUp), 250)
      #expect(BootTime.now.seconds(since: start) < 0.4)
      kernel.set("in_illuminance_raw", of: chipPath, to: "2000")
      expectEqual(try light.next(interruptedBy: wakeUp), 500)
      #expect(BootTime.now.seconds(since: start) >= 0.45)
      // In counts, as its near level is.
      var proximity = try PolledValue(try #require(catalog.proximity))
      expectEqual(try proximity.next(interruptedBy: wakeUp), 100)
    }
  }

  @Test("has an offset, in counts, and a scale where its driver has them")
  func scaling() async {
    await #expect(processExitsWith: .success) {
      let vectors: [([String: String], Double)] = [
        (["in_illuminance_raw": "100"], 100),
        (["in_illuminance_raw": "100", "in_illuminance_scale": "0.5"], 50),
        (["in_illuminance_raw": "100", "in_illuminance_scale": "0.5", "in_illuminance_offset": "-20"], 40),
        (["in_illuminance_raw": "100", "in_illuminance_offset": "20"], 120),
        (["in_illuminance0_raw": "100", "in_illuminance0_scale": "2", "in_illuminance0_offset": "1"], 202),
        // Processed values are in lux whatever the scale, which belongs to the raw ones.
        (["in_illuminance_input": "123.456", "in_illuminance_scale": "7"], 123.456),
        (["in_intensity_both_raw": "100", "in_intensity_scale": "0.25"], 25),
        (["in_rot_from_north_magnetic_tilt_comp_raw": "1800", "in_rot_scale": "0.1"], 180),
        (["in_rot_from_north_magnetic_raw": "-45", "in_rot_scale": "2"], -90),
      ]
      let kernel = MockKernel()
      for (number, vector) in vectors.enumerated() {
        kernel.addDevice(
          "iio:device\(number)", under: "platform/\(number)",
          attributes: vector.0.merging(["name": "x"]) { $1 })
        let sensor = try ambientSensors().first { $0.device.id == "iio:device\(number)" }
        var source = try PolledValue(try #require(sensor, "\(vector)"))
        expectEqual(try source.next(interruptedBy: try WakeUpEvent()), vector.1)
      }
    }
  }

  @Test("is not read more often than it integrates, up to a point")
  func integration() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = lightAndProximityAttributes()
      attributes["in_illuminance_integration_time"] = "0.800000"
      kernel.addDevice("iio:device0", attributes: attributes)
      var source = try PolledValue(try #require(try AmbientCatalog(near: nil).light))
      let wakeUp = try WakeUpEvent()
      _ = try source.next(interruptedBy: wakeUp)
      let start = BootTime.now
      _ = try source.next(interruptedBy: wakeUp)
      #expect(BootTime.now.seconds(since: start) > 0.75)
    }
  }

  @Test("measures at least as often as it is read, and as often as somebody else has set")
  func frequency() async {
    await #expect(processExitsWith: .success) {
      for (before, after) in [("0", "2.0"), ("1.000000", "2.0"), ("50.000000", "50.000000")] {
        let kernel = MockKernel()
        var attributes = lightAndProximityAttributes()
        attributes["sampling_frequency"] = before
        kernel.addDevice("iio:device0", attributes: attributes)
        let source = try PolledValue(try #require(try AmbientCatalog(near: nil).light))
        expectEqual(kernel.attribute("sampling_frequency", of: chipPath), after, "before \(before)")
        _ = consume source
        expectEqual(kernel.attribute("sampling_frequency", of: chipPath), before)
      }
    }
  }

  @Test("may refuse two reads in a row, and not a third")
  func refusals() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightAndProximityAttributes())
      var source = try PolledValue(try #require(try AmbientCatalog(near: nil).proximity))
      let wakeUp = try WakeUpEvent()
      let path = "/sys/bus/iio/devices/iio:device0/in_proximity_raw"
      let descriptor = try #require(descriptors(ofPath: "in_proximity_raw").first)
      faults_set_passing(descriptor, EIO, 2)
      expectEqual(try source.next(interruptedBy: wakeUp), 100)
      faults_set_passing(descriptor, EIO, 3)
      #expect(throws: SourceError.system(operation: "reading \(path)", code: EIO)) {
        _ = try source.next(interruptedBy: wakeUp)
      }
      faults_set_passing(descriptor, ENODEV, 1)
      #expect(throws: SourceError.vanished(device: path)) { _ = try source.next(interruptedBy: wakeUp) }
    }
  }

  @Test("that is gone, or has another in its place, is not opened")
  func gone() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightAndProximityAttributes())
      let sensor = try #require(try AmbientCatalog(near: nil).light)
      kernel.remove("/sys/devices/platform/chip/iio:device0")
      #expect(throws: SourceError.vanished(device: "vcnl4000 (iio:device0)")) { _ = try PolledValue(sensor) }
    }
  }

  @Test("with a scale of zero is refused")
  func zeroScale() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = lightAndProximityAttributes()
      attributes["in_illuminance_scale"] = "0"
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try AmbientCatalog(near: nil).light)
      #expect(throws: SourceError.self) { _ = try PolledValue(sensor) }
    }
  }

  @Test("ends its wait when it is told to")
  func interruption() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: lightAndProximityAttributes())
      var source = try PolledValue(try #require(try AmbientCatalog(near: nil).light))
      let wakeUp = try WakeUpEvent()
      _ = try source.next(interruptedBy: wakeUp)
      wakeUp.signal()
      expectEqual(try source.next(interruptedBy: wakeUp), nil)
    }
  }
}
