// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("Accelerometers that are input devices, in the daemon")
struct InputAccelerometerTests {
  init() { useMockKernel() }

  @Test("one of the machine's own is served, with udev's mount matrix")
  func own() throws {
    let rig = try Rig {
      $0.addInputAccelerometer(
        "event9", counts: [1000, 3, -8], udev: ["ACCEL_MOUNT_MATRIX": "0, -1, 0; 1, 0, 0; 0, 0, 1"])
    }
    try rig.client.begin()
    // The matrix' rows are x = -(chip's y) and y = the chip's x; and "normal" is where y is less than nothing.
    try rig.client.wait(for: "OrientationName", toBe: "portraitUpsideDown")
    #expect(try rig.client.property("SensorName") == "ST LIS3LV02DL Accelerometer (event9)")
    #expect(try rig.client.property("HasAccelerometer") == true)
    #expect(try rig.client.property("SensorStatus") == "active")
    #expect(try rig.end() == 0)
  }

  @Test("a wrong resolution is learned", arguments: [1, 100, 2000] as [Int32])
  func wrongResolution(resolution: Int32) throws {
    let rig = try Rig {
      $0.addInputAccelerometer("event9", counts: [2, -56, 1], resolution: resolution)
    }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
  }

  @Test("one that reads zeros delivers nothing that can be used")
  func zeros() throws {
    let rig = try Rig { $0.addInputAccelerometer("event9", counts: [0, 0, 0]) }
    try rig.client.begin()
    try rig.client.wait(for: "SensorStatus", toBe: "silent")
    #expect(try rig.client.property("OrientationName") == "unknown")
  }

  private static let pad = "pci0/usb3/3-3/3-3:1.2/0003:28DE:1205.0004"

  @Test("one on USB is named and not used")
  func foreign() throws {
    let rig = try Rig {
      $0.addInputAccelerometer("event9", under: Self.pad, name: "Motion Sensors", counts: [0, -1000, 0])
    }
    #expect(try rig.client.property("HasAccelerometer") == false)
    #expect(
      rig.log == [
        "orientationd: no usable accelerometer among the devices: Motion Sensors (event9), which is in a peripheral "
          + "device (an input device on USB); waiting for one to appear"
      ])
  }

  @Test("one on USB that the configuration names is served")
  func named() throws {
    let rig = try Rig(sensor: "Motion Sensors") {
      $0.addDevice("iio:device0", attributes: chipAttributes(y: "1024"))
      $0.addInputAccelerometer("event9", under: Self.pad, name: "Motion Sensors", counts: [0, -1000, 0])
    }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
  }

  @Test("one that appears is used, one on USB changes nothing, and one that vanishes is a change to unknown")
  func hotplug() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig()
      try rig.client.begin()
      let sensor = "/sys/devices/platform/lis3lv02d/input/input9/event9"
      rig.kernel.addInputAccelerometer("event9", counts: [0, -1000, 0])
      rig.kernel.tellUdev("add", of: sensor)
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      rig.kernel.addInputAccelerometer("event8", under: "pci0/usb3/3-3", counts: [1000, 0, 0])
      rig.kernel.tellUdev("add", of: "/sys/devices/pci0/usb3/3-3/input/input8/event8")
      rig.kernel.tellUdev("remove", of: sensor)
      rig.kernel.remove(sensor)
      try rig.client.wait(for: "SensorStatus", toBe: "absent")
      #expect(try rig.client.property("OrientationName") == "unknown")
    }
  }

  @Test("orientationctl lists and records it")
  func tool() throws {
    let rig = try Rig { $0.addInputAccelerometer("event9", counts: [0, -1000, 0], resolution: 1000) }
    let environment = rig.kernel.environment
    let file = "\(rig.folder.path)/recording.csv"
    let record = try ChildProcess(
      "orientationctl", ["record", "--seconds", "0.2", file], environment: environment)
    #expect(try record.exitCode() == 0, "\(record.errors)")
    let sensors = try ChildProcess("orientationctl", ["sensors"], environment: environment)
    #expect(try sensors.exitCode() == 0)
    #expect(
      sensors.output.contains("The daemon uses ST LIS3LV02DL Accelerometer (event9)."), "\(sensors.output)")
    #expect(sensors.output.contains("polled: it is an input device"))
  }
}
