// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Testing

private let basePath = "/sys/devices/i2c-1/i2c-KIOX020A:00/iio:device0"
private let displayPath = "/sys/devices/i2c-1/i2c-KIOX010A:00/iio:device1"

/// A 2-in-1 with two chips of one kind, of which nobody says where they sit: the one in the base lies flat.
private func twins(in kernel: borrowing MockKernel) {
  kernel.addDevice(
    "iio:device0", under: "i2c-1/i2c-KIOX020A:00", attributes: chipAttributes(y: "0", z: "1024"))
  kernel.addDevice("iio:device1", under: "i2c-1/i2c-KIOX010A:00", attributes: chipAttributes(y: "-1024"))
}

@Suite("The choice among several sensors")
struct SelectionTests {
  init() { useMockKernel() }

  @Test("tells once which one it is and why, whatever udev has to say of the devices afterwards")
  func toldOnce() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig {
        $0.addDevice(
          "iio:device0", attributes: chipAttributes(y: "-1024"), udev: ["ACCEL_LOCATION": "display"])
      }
      let line =
        "accelerometer kxcjk1013 (iio:device0): in the display (ACCEL_LOCATION=display), no mount matrix"
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      // The daemon itself has changed the frequency, and what else comes is no concern of the choice.
      rig.kernel.tellUdev("change", of: chipPath)
      var base = chipAttributes()
      base["label"] = "accel-base"
      rig.kernel.addDevice("iio:device1", under: "platform/base", attributes: base)
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/base/iio:device1")
      rig.kernel.addDevice("iio:device2", under: "platform/als", attributes: ["name": "als"])
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/als/iio:device2")
      rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
      rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
      try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
      // A look through the devices comes 0.1 s after the event at the latest: the last one has been.
      rig.kernel.addDevice(
        "iio:device3", under: "platform/last", attributes: chipAttributes(),
        udev: ["ACCEL_LOCATION": "camera"])
      rig.kernel.tellUdev("remove", of: chipPath)
      rig.kernel.remove(chipPath)
      try rig.client.wait(for: "SensorStatus", toBe: "absent")
      let told = rig.log.filter { $0.contains("accelerometer kxcjk1013") && !$0.contains("no usable") }
      #expect(told.count == 1 && told.first?.hasSuffix(line) == true, "\(rig.log)")
      #expect(
        rig.log.last?.contains(
          "no usable accelerometer among the devices: kxcjk1013 (iio:device1), which is in the base (label "
            + "accel-base), als (iio:device2), kxcjk1013 (iio:device3), which is in a camera (ACCEL_LOCATION=camera)"
        )
          == true, "\(rig.log)")
      let starts = rig.client.heard.count { $0 == .changed(["SensorStatus": "starting"]) }
      #expect(starts == 1, "\(rig.client.heard)")
    }
  }

  @Test("of which nobody says where they sit goes by their path, and not by their numbers")
  func equals() throws {
    let rig = try Rig(devices: twins)
    #expect(try rig.client.getOrientation() == .portrait)
    try rig.waitForLog(
      "accelerometer kxcjk1013 (iio:device1): the first of several that may be in the display")
    let doubt =
      "kxcjk1013 (iio:device1) is a guess, because nothing shows which of 2 accelerometers is in the display; if the screen "
      + "turns wrongly, Sensor=/sys/devices/i2c-1/i2c-KIOX020A:00 selects kxcjk1013 (iio:device0)"
    #expect(rig.log.filter { $0.hasSuffix(doubt) }.count == 1, "\(rig.log)")
    #expect(try rig.client.property("SensorWarnings") == .texts([doubt]))
  }

  @Test("by a name that both have is none, and both are named")
  func ambiguous() throws {
    let rig = try Rig(sensor: "kxcjk1013", devices: twins)
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(
      rig.log == [
        "orientationd: several sensors match \"kxcjk1013\": kxcjk1013 (iio:device0) at \(basePath), "
          + "kxcjk1013 (iio:device1) at \(displayPath); use a label that only one has, a path, or NAME#2 for the second of that name; "
          + "none is used"
      ])
  }

  @Test(
    "by a path takes that one: its own, the chip's, the one through the bus, its device node",
    arguments: [
      basePath, "/sys/devices/i2c-1/i2c-KIOX020A:00", "/sys/bus/iio/devices/iio:device0", "/dev/iio:device0",
      "iio:device0",
    ])
  func byPath(_ path: String) throws {
    let rig = try Rig(sensor: path, devices: twins)
    #expect(try rig.client.getOrientation() == .faceUp)
    #expect(rig.log.contains { $0.contains("accelerometer kxcjk1013 (iio:device0): requested") })
  }

  @Test("of another kind of device says so, and names those that would do")
  func wrongKind() throws {
    let rig = try Rig(sensor: "als") {
      $0.addDevice("iio:device0", attributes: ["name": "als", "in_illuminance_raw": "7"])
      $0.addDevice("iio:device1", under: "platform/two", attributes: chipAttributes())
    }
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(
      rig.log.first
        == "orientationd: als (iio:device0) is not an accelerometer with the axes x, y and z: available is "
        + "kxcjk1013 (iio:device1); waiting for one to appear")
  }

  @Test("passes over what came over Bluetooth, and prefers what is built in to what can be unplugged")
  func peripherals() throws {
    let rig = try Rig {
      $0.addDevice(
        "iio:device0", under: "virtual/misc/uhid/0005:057E:2006.0003/HID-SENSOR-200073.1.auto",
        attributes: chipAttributes(y: "0", z: "-1024"))
      $0.addUSBDevice("pci0/usb1", removable: "unknown")
      $0.addUSBDevice("pci0/usb1/1-2", removable: "removable")
      $0.addUSBDevice("pci0/usb1/1-2/1-2.1", removable: "fixed")
      $0.addDevice(
        "iio:device1", under: "pci0/usb1/1-2/1-2.1/HID-SENSOR-200073.2.auto",
        attributes: chipAttributes(y: "0", z: "1024"))
      $0.addDevice("iio:device2", under: "platform/zz", attributes: chipAttributes(y: "-1024"))
    }
    #expect(try rig.client.getOrientation() == .portrait)
    #expect(try rig.client.property("SensorName") == "kxcjk1013 (iio:device2)")
  }

  @Test("takes what can be unplugged where there is nothing else")
  func removable() throws {
    let rig = try Rig {
      $0.addUSBDevice("pci0/usb1/1-2", removable: "removable")
      $0.addDevice(
        "iio:device1", under: "pci0/usb1/1-2/HID-SENSOR-200073.2.auto", attributes: chipAttributes(y: "-1024")
      )
    }
    #expect(try rig.client.getOrientation() == .portrait)
  }
}
