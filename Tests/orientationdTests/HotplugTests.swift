// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
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
          .changed(["HasAccelerometer": true]),
          .changed([
            "SensorName": "kxcjk1013 (iio:device0)", "SensorStatus": "starting",
            "SensorMountMatrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
          ]),
          .changed(["SensorStatus": "active"]),
          .changed(["Orientation": 1, "OrientationName": "portrait"]),
          .orientation(1, "portrait"),
        ], "\(rig.client.heard)")
    }
  }

  @Test("one is turned as soon as the graphics driver has told of a landscape panel, while somebody follows")
  func latePanel() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig {
        $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
        $0.addConnector("card0-eDP-1", modes: [])
        $0.addCard("card0", panels: "")
      }
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      // A driver looks at the panel some time after it has told of the card, and tells of a change then.
      rig.kernel.set("modes", of: "/sys/devices/platform/gpu/drm/card0-eDP-1", to: "1920x1200\n")
      rig.kernel.tellUdev("change", of: "/sys/devices/platform/gpu/drm/card0")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
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
      addDisplaySensor(to: rig, x: "-1024")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
      try rig.client.catchUp()
      #expect(
        rig.client.heardOfDevice.suffix(4) == [
          .changed(["SensorName": "kxcjk1013 (iio:device1)", "SensorStatus": "starting"]),
          .changed(["SensorStatus": "active"]),
          .changed(["Orientation": 3, "OrientationName": "landscapeLeft"]),
          .orientation(3, "landscapeLeft"),
        ], "\(rig.client.heard)")
    }
  }

  @Test("nothing that was learned about one sensor counts for the one that takes over")
  func nothingLearned() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      // From now on its z counts as dead, so that zeros are no failure.
      rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
      rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1024")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
      addDisplaySensor(to: rig, x: "0")
      try rig.client.wait(for: "SensorStatus", toBe: "silent")
    }
  }

  @Test("what a client has begun counts on when the sensor went and came back")
  func countsSurvive() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
      try rig.client.begin()
      try rig.client.begin()
      try rig.client.wait(for: "SensorStatus", toBe: "active")
      rig.kernel.remove(chipPath)
      rig.kernel.addDevice("iio:device4", attributes: chipAttributes(x: "1024", y: "0"))
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/chip/iio:device4")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      try rig.client.end()
      try rig.client.catchUp()
      #expect(try rig.client.property("SensorStatus") == "active")
      try rig.client.end()
      #expect(try rig.client.property("SensorStatus") == "idle")
      #expect(throws: BusError.self) { try rig.client.end() }
    }
  }

  @Test("a thousand events do not disturb the sensor in use, and the last of them counts")
  func storm() async {
    await #expect(processExitsWith: .success) {
      let light = "/sys/devices/platform/light/iio:device5"
      let rig = try Rig {
        $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
        $0.addDevice(
          "iio:device5", under: "platform/light", attributes: ["name": "als", "in_illuminance_raw": "7"])
      }
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      // Opening the sensor again would set it again.
      rig.kernel.set("in_accel_sampling_frequency", of: chipPath, to: "0.781000")
      try rig.client.catchUp()
      let heard = rig.client.heardOfDevice.count
      for count in 0..<1000 {
        rig.kernel.tellUdev(["add", "remove", "change"][count % 3], of: count % 2 == 0 ? light : chipPath)
        // umockdev cannot wait for who has a full queue; an answer shows that the daemon has had its turn.
        _ = try rig.client.property("SensorStatus")
        if count == 500 {
          rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
          rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
        }
      }
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      // A look through the devices comes at most a second after an event.
      try rig.client.spend(seconds: 1.2)
      #expect(
        rig.client.heardOfDevice.suffix(from: heard) == [
          .changed(["Orientation": 4, "OrientationName": "landscapeRight"]),
          .orientation(4, "landscapeRight"),
        ], "\(rig.client.heard)")
      #expect(rig.kernel.attribute("in_accel_sampling_frequency", of: chipPath) == "0.781000")
      #expect(rig.log.filter { $0.contains("accelerometer") }.count == 1, "\(rig.log)")
      for _ in 0..<8 { rig.kernel.tellUdev("change", of: light) }
      rig.kernel.remove(chipPath)
      rig.kernel.tellUdev("change", of: light)
      try rig.client.wait(for: "SensorStatus", toBe: "absent")
    }
  }
}

/// Adds a sensor that is preferred to one whose place is not known; its other axes read nothing.
func addDisplaySensor(_ id: String = "iio:device1", to rig: Rig, x: String) {
  var display = chipAttributes(x: x, y: "0")
  display["label"] = "accel-display"
  rig.kernel.addDevice(id, under: "platform/display", attributes: display)
  rig.kernel.tellUdev("add", of: "/sys/devices/platform/display/\(id)")
}
