// SPDX-License-Identifier: Apache-2.0

import Glibc
import SensorSetup
import Testing

@testable import OrientationctlKit

@Suite("A match of udev's hardware database")
struct HwdbMatchTests {
  private let lenovo = """
    dmi:bvnLENOVO:bvr5HCN38WW:bd09/21/2023:br1.38:efr1.38:svnLENOVO:pn82AT:pvrLenovoTabletD330:rvnLENOVO:\
    rnLNVNB161216:rvrSDK0J40700WIN:cvnLENOVO:ct32:cvrLenovoTablet:skuLENOVO_MT_82AT:
    """

  @Test("names the sensor's modalias, and makers and models of the machine without its versions and dates")
  func machine() {
    let match = HwdbMatch(label: nil, modalias: "acpi:BOSC0200:BOSC0200:", machine: lenovo)
    #expect(
      match.pattern
        == "sensor:modalias:acpi:BOSC0200:BOSC0200::dmi:*:svnLENOVO:pn82AT:*:rvnLENOVO:rnLNVNB161216:*")
  }

  @Test("names the label first, where there is one")
  func label() {
    let match = HwdbMatch(label: "accel-display", modalias: "acpi:KIOX000A:", machine: "dmi:bvnX:svnY:pnZ:")
    #expect(match.pattern == "sensor:accel-display:modalias:acpi:KIOX000A::dmi:*:svnY:pnZ:*")
  }

  @Test("has a question mark for what udev replaces, or what a pattern or a comment would begin with")
  func characters() {
    let match = HwdbMatch(
      label: nil, modalias: "of:NaccelerometerT<NULL>Cinvensense,mpu6050",
      machine: "dmi:svnQEMU:pnStandardPC(i440FX+PIIX,1996):pvr#2[x]*:rvnA*B:rn#1:")
    #expect(
      match.pattern
        == """
        sensor:modalias:of:NaccelerometerT?NULL?Cinvensense,mpu6050:\
        dmi:svnQEMU:pnStandardPC?i440FX+PIIX,1996?:*:rvnA?B:rn?1:*
        """)
  }

  @Test("has as many question marks for a character as this has bytes, as udev compares these")
  func bytes() {
    let match = HwdbMatch(label: "bü\r\nro", modalias: "x", machine: "")
    #expect(match.pattern == "sensor:b????ro:modalias:x:*")
    #expect(fnmatch(match.pattern, "sensor:bü__ro:modalias:x:", 0) == 0)
  }

  @Test(
    "does with what there is of a machine",
    arguments: [
      ("", "*"), ("dmi:", "dmi:*"), ("dmi:bvnX:bvr1:", "dmi:*"), ("dmi:bvnX:svn:pn:rvnX:", "dmi:*:rvnX:*"),
    ])
  func scarce(_ machine: String, _ pattern: String) {
    let match = HwdbMatch(label: nil, modalias: "platform:HID-SENSOR-200073", machine: machine)
    #expect(match.pattern == "sensor:modalias:platform:HID-SENSOR-200073:\(pattern)")
    #expect(fnmatch(match.pattern, "sensor:modalias:platform:HID-SENSOR-200073:\(machine)", 0) == 0)
  }

  @Test("matches the machine that it was made for, and its next firmware")
  func matches() {
    let match = HwdbMatch(label: nil, modalias: "acpi:BOSC0200:BOSC0200:", machine: lenovo)
    let next = lenovo.split(separator: ":").filter { !$0.hasPrefix("efr") }
      .map { $0.hasPrefix("bvr") ? "bvr5HCN99WW" : $0 }.joined(separator: ":")
    for machine in [lenovo, next] {
      #expect(fnmatch(match.pattern, "sensor:modalias:acpi:BOSC0200:BOSC0200::\(machine)", 0) == 0)
    }
    #expect(
      fnmatch(match.pattern, "sensor:modalias:acpi:BOSC0200:BOSC0200::dmi:bvnX:svnACER:pn82AT:", 0) != 0)
  }
}

@Suite("A file of udev's hardware database")
struct HwdbTextTests {
  private let match = HwdbMatch(label: nil, modalias: "acpi:KIOX0009:", machine: "dmi:bvnX:svnY:pnZ:")
  private let ours = """
    # Found by orientationctl calibrate: kxcjk1013 (iio:device0)
    sensor:modalias:acpi:KIOX0009::dmi:*:svnY:pnZ:*
     ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0; 0, 0, 1

    """

  private func edited(_ text: String) -> String {
    var file = HwdbText(text)
    file.set(matrix: "0, 1, 0; 1, 0, 0; 0, 0, 1", of: "kxcjk1013 (iio:device0)", match: match)
    return file.description
  }

  @Test("that is new or empty gets the entry", arguments: ["", "\n", "\n \n\n"])
  func empty(_ text: String) {
    #expect(edited(text) == ours)
  }

  @Test(
    "is read with carriage returns too, as systemd reads it, so that its entry is replaced",
    arguments: ["\r\n", "\r"])
  func carriageReturns(_ lineEnd: String) {
    let old = ours.replacing("0, 1, 0; 1, 0, 0", with: "1, 0, 0; 0, 1, 0")
    #expect(edited(old.replacing("\n", with: lineEnd)) == ours)
  }

  @Test("keeps the entries of others and comments, and gets its own at the end, where it goes before them")
  func others() {
    let text = """
      # My own matrices.

      # The old tablet
      sensor:modalias:acpi:KIOX*:dmi:*:svnOld*:*
      sensor:modalias:acpi:BMA*:dmi:*
       ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1
       ACCEL_LOCATION=base

      """
    #expect(edited(text) == "\(text)\n\(ours)")
  }

  @Test("has one entry for a sensor however often it is calibrated")
  func again() {
    let first = edited("sensor:modalias:x:*\n PROXIMITY_NEAR_LEVEL=3\n")
    #expect(edited(first) == first)
    let other = first.replacing(
      "ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0", with: "ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0")
    #expect(other != first)
    #expect(edited(other) == first)
  }

  @Test("has three lines for a sensor whatever it is called, and none that its name wrote")
  func hostileSensor() {
    let name = "\(hostileName)\r\nsensor:*\n ACCEL_MOUNT_MATRIX=0"
    var file = HwdbText("")
    file.set(matrix: "1, 0, 0; 0, 1, 0; 0, 0, 1", of: name, match: match)
    let lines = file.description.utf8.split { [0, 0x0a, 0x0d].contains($0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("# Found by orientationctl calibrate: \(shownName)"))
    #expect(lines[1...] == [match.pattern, " ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1"])
    let machine = HwdbMatch(
      label: hostileName, modalias: hostileName, machine: "dmi:svn\(hostileName):pn\n\n:")
    #expect(machine.pattern.utf8.allSatisfy { (0x20...0x7e).contains($0) })
  }

  @Test("keeps what else was said of the sensor")
  func properties() {
    let text = """
      # By hand
      \(match.pattern)
       ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1
       ACCEL_LOCATION=display

      """
    #expect(edited(text) == "# By hand\n\(match.pattern)\n ACCEL_LOCATION=display\n\n\(ours)")
  }

  @Test("keeps a matrix that the sensor shares with others, for these")
  func shared() {
    let text = "\(match.pattern)\nsensor:modalias:other:*\n ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1\n"
    #expect(edited(text) == "\(text)\n\(ours)")
  }
}
