// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

/// What udev's database has, where a test asks umockdev instead of udev.
private func property(_ name: String, _ path: String) -> String? {
  if path.hasSuffix("/event1") { return name == "ID_INPUT_JOYSTICK" ? "1" : nil }
  guard !path.hasSuffix("/event0") else { return nil }
  switch name {
  case "ID_INPUT_ACCELEROMETER": return "1"
  case "ACCEL_MOUNT_MATRIX" where !path.contains("usb"): return "0,-1,0;1,0,0;0,0,1"
  default: return nil
  }
}

@Suite("An accelerometer that is an input device")
struct InputSensorTests {
  init() { useMockKernel() }

  @Test("is described by udev and sysfs; other input devices are none")
  func description() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addInputDevice("event0", under: "platform/i8042", name: "a keyboard", udev: [:])
      kernel.addInputAccelerometer("event9", counts: [0, 0, 1000])
      let sensor = try #require(inputAccelerometers(property: property).first)
      expectEqual(inputAccelerometers(property: property).count, 1)
      expectEqual(sensor.displayName, "ST LIS3LV02DL Accelerometer (event9)")
      expectEqual(sensor.sysfsPath, "/sys/devices/platform/lis3lv02d/input/input9/event9")
      expectEqual(sensor.interface, .input(isOfGamepad: false))
      expectEqual(sensor.mountMatrix, "0,-1,0;1,0,0;0,0,1")
      expectEqual(sensor.sign, .specificForce)
      expectEqual(sensor.buffering, .none)
      #expect(!sensor.isGone)
    }
  }

  @Test("belongs to a gamepad if another input device of the same hardware is one")
  func gamepad() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addInputDevice("event1", under: "platform/pad", name: "a gamepad", udev: [:])
      kernel.addInputAccelerometer("event8", under: "platform/pad", counts: [0, 0, 0])
      kernel.addInputAccelerometer("event9", under: "platform/padded", counts: [0, 0, 0])
      let sensors = inputAccelerometers(property: property).sorted { $0.id < $1.id }
      expectEqual(sensors.map(\.interface), [.input(isOfGamepad: true), .input(isOfGamepad: false)])
    }
  }

  @Test("of the machine is described also where a device on USB pretends to be hundreds")
  func many() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      for number in 100..<200 {
        kernel.addInputAccelerometer("event\(number)", under: "pci0/usb1/1-1/\(number)", counts: [0, 0, 1])
      }
      kernel.addInputAccelerometer("event200", counts: [0, 0, 1000])
      let sensors = inputAccelerometers(property: property)
      expectEqual(sensors.count, 16)
      expectEqual(sensors.first?.id, "event200")
    }
  }

  @Test("delivers samples in m/s^2 at the rate, and its scales")
  func samples() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addInputAccelerometer("event9", counts: [-512, 1024, 2], resolution: 1024)
      let sensor = try #require(inputAccelerometers(property: property).first)
      let opened = BootTime.now
      var source = try PolledSource(sensor, rate: 100)
      let wakeUp = try WakeUpEvent()
      let expected = Acceleration<SensorFrame>(
        x: -0.5 * standardGravity, y: standardGravity, z: 2.0 / 1024 * standardGravity)
      let first = try #require(try source.next(interruptedBy: wakeUp))
      let second = try #require(try source.next(interruptedBy: wakeUp))
      for sample in [first, second] {
        #expect(abs(sample.acceleration.x - expected.x) < 1e-9)
        #expect(abs(sample.acceleration.y - expected.y) < 1e-9)
        #expect(abs(sample.acceleration.z - expected.z) < 1e-9)
      }
      #expect(second.time > first.time)
      // On a machine that is late with the first one, the second follows at once.
      #expect(second.time.seconds(since: opened) > 0.005)
      expectEqual(source.sampleRate, 100)
      #expect(source.rates() == nil)
      #expect(abs(try SensorScales(of: sensor).x.scale - standardGravity / 1024) < 1e-12)
      wakeUp.signal()
      #expect(try source.next(interruptedBy: wakeUp) == nil)
    }
  }

  @Test("is not opened if another device has its node")
  func replaced() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addInputAccelerometer("event9", counts: [0, 0, 1000])
      var sensor = try #require(inputAccelerometers(property: property).first)
      sensor.sysfsPath = "/sys/devices/platform/lis3lv02d"
      #expect(throws: SourceError.vanished(device: sensor.displayName)) {
        _ = try PolledSource(sensor, rate: 25)
      }
    }
  }
}
