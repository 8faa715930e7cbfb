// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Testing

/// What a chip reads, in counts, in each of the six orientations.
private typealias Poses = KeyValuePairs<DeviceOrientation, (x: Int, y: Int, z: Int)>

/// Turns the tablet through the poses, and expects each to be told.
private func turn(_ rig: Rig, through poses: Poses) throws {
  try rig.client.begin()
  for (orientation, (x, y, z)) in poses {
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "\(x)")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "\(y)")
    rig.kernel.set("in_accel_z_raw", of: chipPath, to: "\(z)")
    try rig.client.wait(for: "OrientationName", toBe: .text(orientation.name))
  }
  try rig.client.catchUp()
  for (orientation, _) in poses {
    #expect(rig.client.heard.contains(.orientation(orientation.rawValue, orientation.name)))
  }
}

@Suite("A polled sensor of the kernel")
struct PolledSensorTests {
  @Test("without a mount matrix is taken as iio-sensor-proxy takes it: x and y negated, z as it is")
  func proxyConvention() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes()) }
    #expect(try rig.client.property("SensorName") == "kxcjk1013 (iio:device0)")
    try turn(
      rig,
      through: [
        .portrait: (0, -1024, 0), .portraitUpsideDown: (0, 1024, 0), .landscapeLeft: (-1024, 0, 0),
        .landscapeRight: (1024, 0, 0), .faceUp: (0, 0, 1024), .faceDown: (0, 0, -1024),
      ])
  }

  @Test("with udev's mount matrix is turned by it, and its face axis follows from the other two")
  func udevMatrix() throws {
    // x and y are exchanged: the screen's X is -(chip y), its Y -(chip x), so Z = X x Y is -(chip z).
    let rig = try Rig {
      $0.addDevice(
        "iio:device0", attributes: chipAttributes(), udev: ["ACCEL_MOUNT_MATRIX": "0, 1, 0; 1, 0, 0; 0, 0, 1"]
      )
    }
    try turn(
      rig,
      through: [
        .portrait: (-1024, 0, 0), .portraitUpsideDown: (1024, 0, 0), .landscapeLeft: (0, -1024, 0),
        .landscapeRight: (0, 1024, 0), .faceUp: (0, 0, -1024), .faceDown: (0, 0, 1024),
      ])
    #expect(rig.log.contains { $0.contains("mount matrix from udev (ACCEL_MOUNT_MATRIX)") })
  }

  @Test("of a HID sensor hub reads the opposite of what holds it up, which turns the face axis round")
  func hub() throws {
    var attributes = chipAttributes()
    attributes["name"] = "accel_3d"
    let rig = try Rig { $0.addDevice("iio:device0", attributes: attributes) }
    try turn(
      rig,
      through: [
        .portrait: (0, -1024, 0), .portraitUpsideDown: (0, 1024, 0), .landscapeLeft: (-1024, 0, 0),
        .landscapeRight: (1024, 0, 0), .faceUp: (0, 0, -1024), .faceDown: (0, 0, 1024),
      ])
  }

  @Test("is turned by the configuration's matrix rather than by udev's")
  func configuredMatrix() throws {
    let configuration = """
      MountMatrix=1, 0, 0; 0, 1, 0; 0, 0, 1
      AxisConvention=kernel
      """
    let rig = try Rig(configuration: configuration) {
      $0.addDevice(
        "iio:device0", attributes: chipAttributes(), udev: ["ACCEL_MOUNT_MATRIX": "0, 1, 0; 1, 0, 0; 0, 0, 1"]
      )
    }
    try turn(rig, through: [.portrait: (0, 1024, 0), .landscapeLeft: (1024, 0, 0), .faceUp: (0, 0, 1024)])
    #expect(rig.log.contains { $0.contains("mount matrix from the configuration") })
  }

  @Test("that sits in the base is passed over for the one in the display")
  func baseSensor() throws {
    var base = chipAttributes(y: "1024")
    base["name"] = "base_chip"
    let rig = try Rig {
      $0.addDevice(
        "iio:device0", under: "platform/base", attributes: base, udev: ["ACCEL_LOCATION": "base"])
      $0.addDevice("iio:device1", attributes: chipAttributes(x: "-1024", y: "0"))
    }
    #expect(try rig.client.property("SensorName") == "kxcjk1013 (iio:device1)")
    #expect(try rig.client.getOrientation() == .landscapeLeft)
  }

  @Test("that sits in the base is never used, also where there is no other")
  func onlyBaseSensor() throws {
    let rig = try Rig {
      $0.addDevice("iio:device0", attributes: chipAttributes(), udev: ["ACCEL_LOCATION": "base"])
    }
    #expect(try rig.client.property("SensorStatus") == "absent")
  }
}
