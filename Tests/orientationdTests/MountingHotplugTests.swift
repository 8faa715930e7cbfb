// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

// Exit tests, for the reason that HotplugTests.swift has.

/// What is right for a chip that is mounted by a quarter turn.
private let right = "0, 1, 0; -1, 0, 0; 0, 0, 1"

private func matrix(_ rig: Rig) throws -> [Value?] {
  [try rig.client.property("SensorMountMatrix"), try rig.client.property("SensorMountMatrixSource")]
}

private func remove(_ path: String, from rig: Rig) {
  rig.kernel.tellUdev("remove", of: path)
  rig.kernel.remove(path)
}

@Suite("A mount matrix that is set of a sensor that goes, or has another one beside it")
struct MountingHotplugTests {
  init() { useMockKernel() }

  @Test("counts when the sensor is back, and cannot be set without it")
  func vanishes() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(x: "1024", y: "0")) }
      try rig.client.begin()
      try rig.client.setMountMatrix(right)
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      remove(chipPath, from: rig)
      try rig.client.wait(for: "SensorStatus", toBe: "absent")
      #expect(try matrix(rig) == ["", ""])
      for act in [{ try rig.client.setMountMatrix(right) }, rig.client.resetMountMatrix] {
        let error = #expect(throws: BusError.self) { try act() }
        #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
      }
      rig.kernel.addDevice("iio:device1", attributes: chipAttributes(x: "1024", y: "0"))
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/chip/iio:device1")
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      #expect(try matrix(rig) == [.text(right), "calibration"])
    }
  }

  @Test("as a preview turns back while the sensor is away")
  func vanishesInPreview() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(x: "1024", y: "0")) }
      try rig.client.begin()
      try rig.client.previewMountMatrix(right, seconds: 1)
      remove(chipPath, from: rig)
      try rig.client.wait(for: "SensorStatus", toBe: "absent")
      try rig.client.spend(seconds: 1.2)
      rig.kernel.addDevice("iio:device1", attributes: chipAttributes(x: "1024", y: "0"))
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/chip/iio:device1")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      #expect(try matrix(rig) == ["1, 0, 0; 0, 1, 0; 0, 0, 1", ""])
    }
  }

  @Test("is set for no other sensor that is in use when polkit says yes")
  func exchangedMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(x: "1024", y: "0")) }
      let polkit = try MockPolkit(on: rig.bus, .hang)
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      var error: BusError?
      let call = try rig.client.bus.daemonCall("SetMountMatrix", of: DBusNames.sensorInterface)
      try call.append(right)
      try rig.client.bus.callAsync(call) { error = $0.error }.detach()
      try rig.client.wait(for: "the question") { try polkit.questions.count == 1 }
      addDisplaySensor(to: rig, x: "-1024")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
      try polkit.allowLastFirst()
      try rig.client.wait(for: "the answer") { error != nil }
      #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
      #expect(try matrix(rig) == ["1, 0, 0; 0, 1, 0; 0, 0, 1", ""])
    }
  }

  @Test("is one of each sensor, and is not kept for another one than it was tried on")
  func two() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(x: "1024", y: "0")) }
      let other = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
      try rig.client.begin()
      try rig.client.previewMountMatrix(right, seconds: 60)
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      addDisplaySensor(to: rig, x: "-1024")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
      let error = #expect(throws: BusError.self) { try rig.client.setMountMatrix(right) }
      #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
      #expect(try matrix(rig) == ["1, 0, 0; 0, 1, 0; 0, 0, 1", ""])
      try rig.client.resetMountMatrix()
      try rig.client.setMountMatrix(other)
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      remove("/sys/devices/platform/display/iio:device1", from: rig)
      try rig.client.wait(for: "SensorName", toBe: "kxcjk1013 (iio:device0)")
      try rig.client.setMountMatrix(right)
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      addDisplaySensor("iio:device2", to: rig, x: "-1024")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      #expect(try matrix(rig) == [.text(other), "calibration"])
    }
  }
}
