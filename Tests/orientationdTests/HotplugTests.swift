// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Testing

// Exit tests, as umockdev tells of devices only out of a process that itself sees the mock kernel.

@Suite("Sensors that come and go")
struct HotplugTests {
  init() { useMockKernel() }

  @Test("one that appears after the daemon is used for the clients that asked before")
  func appears() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig()
      try rig.client.begin()
      #expect(try rig.client.property("SensorStatus") == "absent")
      #expect(try rig.client.property("HasAccelerometer") == false)
      rig.kernel.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      rig.kernel.tellUdev("add", of: chipPath)
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      try rig.client.catchUp()
      #expect(
        rig.client.heard == [
          .changed(["GeneratesDeviceOrientationNotifications": true]),
          .changed([
            "HasAccelerometer": true, "SensorName": "kxcjk1013 (iio:device0)", "SensorStatus": "starting",
          ]),
          .changed(["SensorStatus": "active", "SampleRate": 25.0]),
          .changed(["Orientation": 1, "OrientationName": "portrait"]),
          .orientation(1, "portrait"),
        ], "\(rig.client.heard)")
    }
  }

  @Test("one that vanishes while it runs is a change to unknown that is told; the claim survives its return")
  func vanishesAndReturns() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      rig.kernel.tellUdev("remove", of: chipPath)
      rig.kernel.remove(chipPath)
      try rig.client.wait(for: "SensorStatus", toBe: "absent")
      try rig.client.catchUp()
      #expect(rig.client.lastOrientation == .orientation(0, "unknown"))
      #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == true)
      #expect(try rig.client.property("SampleRate") == 0.0)
      rig.kernel.addDevice("iio:device1", attributes: chipAttributes(x: "1024", y: "0"))
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/chip/iio:device1")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      try rig.client.catchUp()
      #expect(rig.client.lastOrientation == .orientation(4, "landscapeRight"))
      try rig.client.end()
      #expect(try rig.client.property("SensorStatus") == "idle")
    }
  }

  @Test("a better one takes over from the one in use")
  func better() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      var display = chipAttributes(x: "-1024", y: "0")
      display["label"] = "accel-display"
      rig.kernel.addDevice("iio:device1", under: "platform/display", attributes: display)
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/display/iio:device1")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
      #expect(try rig.client.property("SensorName") == "kxcjk1013 (iio:device1)")
    }
  }
}
