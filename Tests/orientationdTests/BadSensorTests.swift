// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

private struct WrongType: Error {}

@Suite("Sensors that are not as they should be")
struct BadSensorTests {
  @Test("on a machine without IIO there is no accelerometer, which is said once")
  func noIIO() throws {
    let rig = try Rig()
    try rig.client.begin()
    let properties = try rig.client.properties()
    #expect(properties["HasAccelerometer"] == false)
    #expect(try rig.client.property("SensorName") == "")
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(properties["OrientationName"] == "unknown")
    #expect(properties["GeneratesDeviceOrientationNotifications"] == true)
    #expect(
      rig.log == ["orientationd: no accelerometer: the kernel shows no IIO device; waiting for one to appear"]
    )
    #expect(try rig.end() == 0)
  }

  @Test("among IIO devices of other kinds there is no accelerometer")
  func noAccelerometer() throws {
    let rig = try Rig {
      $0.addDevice("iio:device0", attributes: ["name": "als", "in_illuminance_raw": "7"])
      $0.addDevice(
        "iio:device1", under: "platform/flat",
        attributes: ["name": "flat", "in_accel_x_raw": "0", "in_accel_z_raw": "0", "in_accel_scale": "1"])
    }
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(
      rig.log == [
        "orientationd: no usable accelerometer among the devices: als (iio:device0), flat (iio:device1); "
          + "waiting for one to appear"
      ])
  }

  @Test("a sensor that was asked for by name and is not there is named, with those that are")
  func wrongName() throws {
    let rig = try Rig(sensor: "lis2dh12") { $0.addDevice("iio:device0", attributes: chipAttributes()) }
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(rig.log.first?.contains("no sensor \"lis2dh12\": available is kxcjk1013 (iio:device0)") == true)
  }

  /// Begins, and expects the sensor to fail with one line in the log that contains a text.
  private func expectFailure(_ rig: Rig, saying text: String) throws {
    try rig.client.begin()
    try rig.client.wait(for: "SensorStatus", toBe: "failed")
    #expect(try rig.client.property("OrientationName") == "unknown")
    #expect(rig.log.filter { $0.contains("the sensor does not work") }.count == 1)
    #expect(rig.log.contains { $0.contains(text) }, "\(rig.log)")
  }

  @Test("an attribute that is not a number is named with its text; once it is one, the sensor works again")
  func notANumber() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "up")) }
    try expectFailure(rig, saying: "in_accel_y_raw: \"up\": a number was expected")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "-1024")
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(rig.log.last == "orientationd: the sensor works again")
  }

  @Test("a sensor that breaks while it runs is a change to unknown that is told")
  func breaks() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "?")
    try rig.client.wait(for: "SensorStatus", toBe: "failed")
    try rig.client.catchUp()
    #expect(rig.client.heard.last == .orientation(0, "unknown"))
  }

  @Test(
    "a driver whose scale is wrong serves all the same, which is said once",
    arguments: [("0.0009576806", "0.1"), ("0.0957680664", "10")])
  func wrongScale(scale: String, length: String) throws {
    var attributes = chipAttributes(y: "-1024")
    attributes["in_accel_scale"] = scale
    let rig = try Rig { $0.addDevice("iio:device0", attributes: attributes) }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try rig.client.property("SensorStatus") == "active")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "1024")
    try rig.client.wait(for: "OrientationName", toBe: "portraitUpsideDown")
    // Another session begins with what is known.
    try rig.client.end()
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portraitUpsideDown")
    try rig.waitForLog("at rest it reads \(length) g")
    guard case .texts(let warnings) = try rig.client.property("SensorWarnings") else { throw WrongType() }
    #expect(warnings.count == 1 && warnings.first?.contains("at rest it reads \(length) g") == true)
    #expect(rig.log.filter { $0.contains("at rest it reads") }.count == 1, "\(rig.log)")
  }

  @Test("ScaleFactor= corrects what programs read")
  func scaleFactor() throws {
    var attributes = chipAttributes(y: "-1024")
    attributes["in_accel_scale"] = "0.0009576806"
    let rig = try Rig(configuration: "ScaleFactor=10\n") {
      $0.addDevice("iio:device0", attributes: attributes)
    }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(abs(try rig.client.gravity()[1] - standardGravity) < 0.05)
    #expect(!rig.log.contains { $0.contains("at rest it reads") })
  }

  @Test("an axis that reads nothing is not waited for, once the others have moved")
  func deadAxis() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(x: "0", y: "-1024", z: "0")) }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
    try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
    // Flat on a table: zeros on all axes, for longer than a sensor that works has them.
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "0")
    let end = ContinuousClock.now + .seconds(3)
    while ContinuousClock.now < end {
      #expect(try rig.client.property("SensorStatus") == "active")
      #expect(try rig.client.property("OrientationName") == "landscapeRight")
    }
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "-1024")
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
  }

  @Test("a missing scale is named")
  func noScale() throws {
    var attributes = chipAttributes()
    attributes["in_accel_scale"] = nil
    let rig = try Rig { $0.addDevice("iio:device0", attributes: attributes) }
    try expectFailure(rig, saying: "in_accel_x_scale: does not exist")
  }

  @Test(
    "a mount matrix of garbage is named with its origin, and ignored",
    arguments: ["garbage", "1,0,0;1,0,0;0,0,1", "1,0,0;0,nan,0;0,0,1"])
  func badMatrix(text: String) throws {
    let rig = try Rig {
      $0.addDevice(
        "iio:device0", attributes: chipAttributes(y: "-1024"), udev: ["ACCEL_MOUNT_MATRIX": text])
    }
    #expect(try rig.client.getOrientation() == .portrait)
    let warning = try #require(rig.log.first)
    #expect(warning.contains(text))
    #expect(warning.hasSuffix("; it comes from udev (ACCEL_MOUNT_MATRIX) and is ignored"))
  }

  @Test(
    "a mount matrix without a third row is told, and used",
    arguments: ["auto", "as-read", "inverted"])
  func singularMatrix(faceAxis: String) throws {
    let rig = try Rig(configuration: "FaceAxis=\(faceAxis)\n") {
      $0.addDevice(
        "iio:device0", attributes: chipAttributes(y: "0", z: "-1024"),
        udev: ["ACCEL_MOUNT_MATRIX": "1, 0, 0; 0, -1, 0; 1, 0, 0"])
    }
    #expect(try rig.client.getOrientation() == .faceUp)
    #expect(
      rig.log.first
        == "orientationd: mount matrix '1, 0, 0; 0, -1, 0; 1, 0, 0' from udev (ACCEL_MOUNT_MATRIX) is singular: its "
        + "first two rows are used, and face up and down derived from them, whatever FaceAxis= says")
  }

  @Test("behind a mount matrix of garbage from udev, the driver's counts")
  func driverMatrix() throws {
    var attributes = chipAttributes(y: "1024")
    attributes["in_mount_matrix"] = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
    let rig = try Rig {
      $0.addDevice("iio:device0", attributes: attributes, udev: ["ACCEL_MOUNT_MATRIX": "garbage"])
    }
    #expect(try rig.client.getOrientation() == .portrait)
    #expect(rig.log.contains { $0.contains("mount matrix from the driver") })
  }

  @Test(
    "an empty mount matrix and an empty location of udev are none, as a file of its database takes another's back"
  )
  func emptyProperties() throws {
    var attributes = chipAttributes(y: "1024")
    attributes["in_mount_matrix"] = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
    attributes["label"] = "accel-display"
    let rig = try Rig {
      $0.addDevice(
        "iio:device0", attributes: attributes, udev: ["ACCEL_MOUNT_MATRIX": "", "ACCEL_LOCATION": ""])
    }
    #expect(try rig.client.getOrientation() == .portrait)
    #expect(
      rig.log == [
        "orientationd: accelerometer kxcjk1013 (iio:device0): in the display (label accel-display), "
          + "mount matrix from the driver"
      ])
  }

  @Test(
    "a recording that is wrong is named with its line",
    arguments: [
      ("t_s,ax,ay\n0,0,9.8\n", ":1: no column \"az\""),
      ("t_s,ax,ay,az\n0,0,9.8,0\n0.04,0,up,0\n", ":3: ay: a finite number was expected, not \"up\""),
      ("t_s,ax,ay,az\n0,0,nan,0\n", ":2: ay: a finite number was expected, not \"nan\""),
      ("t_s,ax,ay,az\n1,0,9.8,0\n0.5,0,9.8,0\n", ":3: time goes back from 1.0 s to 0.5 s"),
      ("", "a line naming the columns t_s, ax, ay and az was expected"),
    ])
  func badRecording(text: String, complaint: String) throws {
    try expectNoRecording(try Rig(replaying: text), saying: complaint)
  }

  @Test("a recording that does not exist is named, and so is a folder")
  func noRecording() throws {
    let path = "/nonexistent/recording.csv"
    try expectNoRecording(try Rig(sensor: "replay:\(path)"), saying: "\(path): does not exist")
    try expectNoRecording(try Rig(sensor: "replay:/"), saying: "reading /: Is a directory")
  }

  /// The log says it at the start, and once; what clients see is the same whether or not they have subscribed.
  private func expectNoRecording(_ rig: Rig, saying reason: String) throws {
    try rig.waitForLog("orientationd: the recording cannot be read: ")
    for _ in 0..<2 {
      #expect(try rig.client.property("SensorStatus") == "absent")
      #expect(try rig.client.property("HasAccelerometer") == false)
      #expect(try rig.client.property("SensorName") == "")
      let error = #expect(throws: BusError.self) { try rig.client.getOrientation() }
      #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
      #expect(error?.message.hasPrefix("There is no accelerometer.") == true)
      try rig.client.begin()
    }
    #expect(rig.log.count == 1)
    #expect(rig.log.first?.hasSuffix("\(reason); retrying while there are subscribers") == true, "\(rig.log)")
  }

  @Test("a recording that appears later is used for a subscriber who waits, and for a single question")
  func lateRecording() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/late.csv"
    let rig = try Rig(sensor: "replay:\(path)")
    try rig.client.begin()
    #expect(try rig.client.property("SensorStatus") == "absent")
    try folder.write(recording(of: [.landscapeLeft]), to: "late.csv")
    try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    #expect(try rig.client.property("HasAccelerometer") == true)
    try rig.client.end()
    #expect(unlink(path) == 0)
    #expect(throws: BusError.self) { try rig.client.getOrientation() }
    #expect(try rig.client.property("SensorStatus") == "absent")
    try folder.write(recording(of: [.portrait]), to: "late.csv")
    #expect(try rig.client.getOrientation() == .portrait)
    #expect(try rig.client.property("SensorStatus") == "idle")
  }
}
