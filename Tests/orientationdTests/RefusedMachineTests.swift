// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

// As in HotplugTests, some are exit tests, so that umockdev tells of devices.

@Suite("A machine that libiio refuses, with the daemon")
struct RefusedMachineServiceTests {
  init() { useMockKernel() }

  private static let odd = "/sys/devices/platform/odd/iio:device9"
  private static let refusal =
    "orientationd: libiio refuses all IIO devices of this machine because of one device, probably magn_3d (iio:device9): "
    + "Invalid argument; they are used without libiio"

  private static func addCompass(to kernel: borrowing MockKernel) {
    kernel.addDevice("iio:device9", under: "platform/odd", attributes: oddCompassAttributes())
  }

  @Test("has its orientations announced, and the journal says so once")
  func announced() throws {
    let rig = try Rig {
      $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      Self.addCompass(to: $0)
    }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
    try rig.client.end()
    #expect(try rig.client.getOrientation() == .landscapeRight)
    #expect(
      rig.log == [
        Self.refusal,
        "orientationd: accelerometer kxcjk1013 (iio:device0): the only one that may be in the display, no mount matrix",
      ])
  }

  @Test("has its buffered sensor sampled through the buffer")
  func buffered() throws {
    let rig = try Rig {
      $0.addDevice("iio:device0", attributes: hubAttributes())
      $0.addDevice("trigger0", attributes: hubTrigger)
      Self.addCompass(to: $0)
    }
    try rig.client.begin()
    try rig.client.wait(for: "the buffer") {
      rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
    }
    try rig.client.wait(for: "landscapeLeft") {
      rig.kernel.deliver(hubScan(-1000, 0, 0, nanoseconds: bootTime), to: "iio:device0")
      return try rig.client.property("OrientationName") == "landscapeLeft"
    }
    #expect(!rig.daemon.errors.contains("polling"))
    try rig.client.end()
    try rig.client.wait(for: "the end of the buffer") {
      rig.kernel.attribute("buffer/enable", of: chipPath) == "0"
    }
  }

  @Test("without an accelerometer has none, and waits for one")
  func none() throws {
    let rig = try Rig { Self.addCompass(to: $0) }
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(
      rig.log == [
        Self.refusal,
        "orientationd: no usable accelerometer among the devices: magn_3d (iio:device9); waiting for one to appear",
      ])
  }

  @Test("since its compass came keeps the accelerometer in use, and so when the compass goes")
  func comesAndGoes() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      // Opening the sensor again would set it again.
      rig.kernel.set("in_accel_sampling_frequency", of: chipPath, to: "0.781000")
      try rig.client.catchUp()
      let heard = rig.client.heardOfDevice.count
      Self.addCompass(to: rig.kernel)
      rig.kernel.tellUdev("add", of: Self.odd)
      try rig.waitForLog(Self.refusal)
      rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
      rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      rig.kernel.remove(Self.odd)
      rig.kernel.tellUdev("remove", of: Self.odd)
      // A look through the devices comes at most a second after an event.
      try rig.client.spend(seconds: 1.2)
      rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1024")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
      try rig.client.catchUp()
      #expect(
        rig.client.heardOfDevice.suffix(from: heard) == [
          .changed(["Orientation": 4, "OrientationName": "landscapeRight"]),
          .orientation(4, "landscapeRight"),
          .changed(["Orientation": 3, "OrientationName": "landscapeLeft"]), .orientation(3, "landscapeLeft"),
        ], "\(rig.client.heard)")
      #expect(rig.kernel.attribute("in_accel_sampling_frequency", of: chipPath) == "0.781000")
      #expect(rig.log.count == 2, "\(rig.log)")
    }
  }

  @Test("has an accelerometer that comes later found")
  func comesLater() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { Self.addCompass(to: $0) }
      try rig.client.begin()
      #expect(try rig.client.property("SensorStatus") == "absent")
      rig.kernel.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      rig.kernel.tellUdev("add", of: chipPath)
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      #expect(rig.log.filter { $0.contains("libiio") }.count == 1, "\(rig.log)")
    }
  }
}
