// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("A machine that libiio refuses")
struct RefusedMachineTests {
  init() { useMockKernel() }

  /// Adds a device for which libiio refuses the machine.
  private static func addOddDevice(to kernel: borrowing MockKernel, _ attributes: [String: String]? = nil) {
    kernel.addDevice(
      "iio:device9", under: "platform/odd", attributes: attributes ?? oddCompassAttributes())
  }

  @Test("has its accelerometer, and names the odd device and what libiio said")
  func accelerometer() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      #expect(try IIOMachine.local().refusal == nil)
      Self.addOddDevice(to: kernel)
      let refusal = try #require(try IIOMachine.local().refusal)
      expectEqual(refusal.cause, .refused(EINVAL))
      expectEqual(refusal.suspects, ["magn_3d (iio:device9)"])
      expectEqual(try allSensors().map(\.displayName), ["kxcjk1013 (iio:device0)", "magn_3d (iio:device9)"])
      expectEqual(try allSensors().map(\.isAccelerometer), [true, false])
      expectEqual(try chosenSensor()?.id, "iio:device0")
    }
  }

  @Test("is the same machine: nothing that is said of a device changes")
  func sameDescriptions() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var chip = chipAttributes()
      chip["in_accel_mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, -1"
      chip["label"] = "accel-display"
      chip["location"] = "lid"
      var shared = chipAttributes()
      shared["in_mount_matrix"] = "1, 0, 0; 0, 1, 0; 0, 0, 1"
      shared["in_accel_sampling_frequency"] = nil
      shared["sampling_frequency"] = "25"
      var plain = chipAttributes()
      plain["mount_matrix"] = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
      var odd = hubAttributes()
      odd["in_accel_sampling_frequency"] = "often"
      odd["scan_elements/in_accel_x_type"] = "garbage"
      odd["trigger/current_trigger"] = "nobody's"
      odd["label"] = ""
      var flat = chipAttributes()
      flat["in_accel_z_raw"] = nil
      let devices = [
        chip, shared, plain, flat, hubAttributes(), ["name": "als", "in_illuminance_raw": "7"],
        ["in_accel_x_input": "0", "in_accel_y_input": "9.8", "in_accel_z_input": "0"],
        [
          "name": "bma250", "label": "two words ", "in_accel_x_raw": "0", "in_accel_y_raw": "0",
          "in_accel_z_raw": "0",
        ],
      ]
      for (number, attributes) in devices.enumerated() {
        kernel.addDevice("iio:device\(number)", under: "platform/\(number)", attributes: attributes)
      }
      kernel.addDevice("trigger0", attributes: hubTrigger)
      let before = try allSensors()
      expectEqual(before.count, devices.count)
      #expect(try IIOMachine.local().refusal == nil)
      Self.addOddDevice(to: kernel)
      #expect(try IIOMachine.local().refusal != nil)
      let after = try allSensors()
      for (old, new) in zip(before, after) { expectEqual(new, old) }
      expectEqual(after.count, devices.count + 1)
    }
  }

  @Test("is so for several reasons, and never loses its accelerometer")
  func reasons() async {
    await #expect(processExitsWith: .success) {
      let reasons = [
        ["scan_elements/in_accel_x_scale": "1"], ["scan_elements/in_accel_x_index": "-1"],
        [
          "scan_elements/in_rot_from_north_true_en": "0",
          "scan_elements/in_rot_from_north_true_tilt_comp_en": "0",
        ],
        ["scan_elements/in_intensity_uva_en": "0", "scan_elements/in_intensity_uvb_en": "0"],
      ]
      for attributes in reasons {
        let kernel = MockKernel()
        kernel.addDevice("iio:device0", attributes: chipAttributes())
        Self.addOddDevice(to: kernel, ["name": "odd"].merging(attributes) { _, new in new })
        #expect(try IIOMachine.local().refusal != nil, "\(attributes)")
        expectEqual(try chosenSensor()?.id, "iio:device0", "\(attributes)")
      }
    }
  }

  @Test("is so with a label or a name that is empty")
  func emptyFile() async {
    await #expect(processExitsWith: .success) {
      for name in ["label", "name"] {
        let kernel = MockKernel()
        kernel.addDevice("iio:device0", attributes: chipAttributes())
        Self.addOddDevice(to: kernel, ["name": "odd", "label": "odd"])
        truncate(kernel.file(of: name, of: "/sys/devices/platform/odd/iio:device9"), 0)
        expectEqual(try IIOMachine.local().refusal?.cause, .refused(EIO), name)
        expectEqual(try chosenSensor()?.id, "iio:device0", name)
      }
    }
  }

  @Test("is so with a file that is listed and not there, for as long as that is so")
  func neverGone() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      Self.addOddDevice(to: kernel, ["name": "odd"])
      let odd = "/sys/devices/platform/odd/iio:device9"
      kernel.link("going", of: odd, to: "nowhere")
      expectEqual(try chosenSensor()?.id, "iio:device0")
      unlink(kernel.file(of: "going", of: odd))
      #expect(try IIOMachine.local().refusal == nil)
    }
  }

  @Test("has its accelerometer where that is the odd device itself")
  func oddAccelerometer() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: oddChipAttributes())
      let refusal = try #require(try IIOMachine.local().refusal)
      expectEqual(refusal.suspects, ["bno055 (iio:device0)"])
      var source = try PolledSource(try #require(try chosenSensor()), rate: 1000)
      let sample = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(sample?.acceleration, Acceleration(x: 0, y: -9.81, z: 0))
    }
  }

  @Test("has its compass where that is the odd device itself")
  func oddCompass() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = oddCompassAttributes()
      attributes["in_rot_from_north_magnetic_tilt_comp_raw"] = "90"
      Self.addOddDevice(to: kernel, attributes)
      #expect(try IIOMachine.local().refusal != nil)
      let compass = try #require(try AmbientCatalog(near: nil).compass)
      expectEqual(compass.isBuffered, true)
      var source = try PolledValue(compass)
      expectEqual(try source.next(interruptedBy: try WakeUpEvent()), 90)
    }
  }

  @Test("is polled: a scale and an offset for each axis, a frequency that is set")
  func polled() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: unequalChipAttributes())
      Self.addOddDevice(to: kernel)
      let sensor = try #require(try chosenSensor())
      var source = try PolledSource(sensor, rate: 30)
      let sample = try source.next(interruptedBy: try WakeUpEvent())
      expectEqual(sample?.acceleration, Acceleration(x: 6, y: 1.375, z: 20))
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "50.0")
      kernel.remove(chipPath)
      #expect(throws: SourceError.vanished(device: "kxcjk1013 (iio:device0)")) {
        _ = try PolledSource(sensor, rate: 30)
      }
    }
  }

  @Test("is sampled through the buffer, which gets its trigger, its clock and its channels")
  func buffered() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["trigger/current_trigger"] = ""
      attributes["scan_elements/in_anglvel_x_en"] = "1"
      attributes["scan_elements/in_anglvel_x_index"] = "9"
      attributes["scan_elements/in_anglvel_x_type"] = "le:s16/32>>0"
      kernel.addDevice("iio:device0", attributes: attributes)
      kernel.addDevice("trigger0", attributes: hubTrigger)
      Self.addOddDevice(to: kernel)
      let sensor = try #require(try chosenSensor())
      expectEqual(sensor.buffering, .scanElements(trigger: nil))
      var source = try BufferedSource(sensor, rate: 200)
      expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), "accel_3d-dev0")
      expectEqual(try chosenSensor()?.buffering, .scanElements(trigger: "accel_3d-dev0"))
      expectEqual(kernel.attribute("in_accel_sampling_frequency", of: chipPath), "200.0")
      expectEqual(kernel.attribute("current_timestamp_clock", of: chipPath), "boottime")
      expectEqual(kernel.attribute("buffer/watermark", of: chipPath), "1")
      expectEqual(kernel.attribute("scan_elements/in_anglvel_x_en", of: chipPath), "0")
      let now = BootTime.now.nanoseconds
      kernel.deliver(hubScan(1000, -1000, 7, nanoseconds: now), to: "iio:device0")
      let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
      expectEqual(sample.time.nanoseconds, now)
      expectEqual(
        sample.acceleration, Acceleration(x: 1000 * 0.00980665, y: -1000 * 0.00980665, z: 7 * 0.00980665))
      _ = consume source
      expectEqual(kernel.attribute("buffer/enable", of: chipPath), "0")
      expectEqual(kernel.attribute("scan_elements/in_accel_x_en", of: chipPath), "0")
    }
  }
}
