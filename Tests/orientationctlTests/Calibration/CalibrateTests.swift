// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl calibrate --hwdb")
struct CalibrateTests {
  /// For the hub as the tests have it mounted.
  private let matrix = "0, 0, 1; -1, 0, 0; 0, 1, 0"
  private var record: String {
    """
    # Found by orientationctl calibrate: accel_3d (iio:device0)
    sensor:modalias:platform:HID-SENSOR-200073:dmi:*:svnMaker:pnTab?let?:*
     ACCEL_MOUNT_MATRIX=\(matrix)

    """
  }

  @Test("shows the matrix with the lines for udev and what to run, and writes nothing")
  func shows() throws {
    let calibrating = try Calibrating()
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    let output = calibrating.program.output
    for text in [
      "Calibrating accel_3d (iio:device0), used: the only one that may be in the\ndisplay.\nIts mount matrix: none.\n",
      "Here a short edge is the top (panel eDP-1 is 800x1280: portrait).",
      "  Mount matrix  \(matrix)\n  In use        none\n",
      "    sensor:modalias:platform:HID-SENSOR-200073:dmi:*:svnMaker:pnTab?let?:*\n     ACCEL_MOUNT_MATRIX=\(matrix)\n",
      "systemd-hwdb update\n    ", "udevadm control --reload\n    ",
      "udevadm trigger --settle /sys/bus/iio/devices/iio:device0\n",
    ] {
      #expect(output.contains(text), "\(output)")
    }
    #expect(tooWide(output).isEmpty)
    #expect(calibrating.program.errors.isEmpty)
    #expect(calibrating.file.isEmpty)
  }

  @Test("works with a driver whose scale is wrong, and shows the line that corrects it, unless it is there")
  func wrongScale() throws {
    for factor in ["", "ScaleFactor=10\n"] {
      let calibrating = try Calibrating(
        configuration: factor, attributes: ["in_accel_scale": "0.000980665"])
      try calibrating.holdAll()
      #expect(try calibrating.program.exitCode() == 0)
      let output = calibrating.program.output
      #expect(output.contains("  Mount matrix  \(matrix)\n"), "\(output)")
      #expect(output.contains("At rest the sensor reads 0.1 g: ") == factor.isEmpty)
      #expect(output.contains("\n    ScaleFactor=10\n") == factor.isEmpty)
      #expect(tooWide(output).isEmpty)
    }
  }

  @Test("writes the lines with --write, and keeps those of others")
  func writes() throws {
    let others = "# Others\nsensor:modalias:other:*\n ACCEL_MOUNT_MATRIX=1, 0, 0; 0, 1, 0; 0, 0, 1\n"
    let own = record.replacing(matrix, with: "1, 0, 0; 0, 1, 0; 0, 0, 1")
    // The whole command, with a second for each pose.
    let calibrating = try Calibrating("--write", file: "\(own)\n\(others)", isHurried: false)
    let start = ContinuousClock.now
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(start.duration(to: .now) >= .seconds(3))
    #expect(calibrating.program.output.contains("Written.\n"))
    #expect(calibrating.file == "\(others)\n\(record)")
  }

  @Test(
    "shows and writes a sensor's name so that it does nothing to the terminal, and is no line of the file")
  func hostileName() throws {
    let calibrating = try Calibrating("--write", sign: .specificForce, attributes: ["name": hostileLine])
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(calibrating.program.output.hasPrefix("Calibrating \(shownLine) (iio:device0), "))
    #expect(isHarmless(calibrating.program.output))
    #expect(
      calibrating.file.hasPrefix(
        "# Found by orientationctl calibrate: \(shownLine) (iio:device0)\nsensor:modalias:"))
    #expect(calibrating.file.split(separator: "\n").count == 3)
  }

  @Test("changes nothing where the matrix in use is right, whatever its third row")
  func rightAlready() throws {
    for third in ["\(matrix.split(separator: ";")[2])", " 0, -1, 0"] {
      let inUse = matrix.split(separator: ";").dropLast().joined(separator: ";") + ";\(third)"
      let calibrating = try Calibrating("--write", matrix: inUse)
      try calibrating.holdAll()
      #expect(try calibrating.program.exitCode() == 0)
      #expect(calibrating.program.output.contains("The matrix in use is already right"))
      #expect(calibrating.file.isEmpty)
    }
  }

  @Test("refuses a pose with the reason, and asks for it again")
  func refuses() throws {
    let calibrating = try Calibrating("--write")
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    try calibrating.hold(CalibrationPose.flat.heldUpBy)
    try calibrating.hold(SIMD3(0, 0, 0))
    try calibrating.hold(-CalibrationPose.upright.heldUpBy)
    try calibrating.hold(CalibrationPose.rightEdgeUp.heldUpBy)
    #expect(try calibrating.program.exitCode() == 0)
    let output = calibrating.program.output
    #expect(output.contains("Not taken: flat reads nearly the same as upright, 0 degrees apart"))
    #expect(output.contains("Not taken: it reads 0.00 m/s^2, which cannot be gravity."))
    #expect(output.contains("Not taken: right edge up reads the opposite of upright"))
    #expect(calibrating.file == record)
  }

  @Test("has all poses taken again where one was the wrong way round")
  func wrongWayRound() throws {
    let calibrating = try Calibrating("--write")
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    try calibrating.hold(CalibrationPose.flat.heldUpBy)
    try calibrating.hold(-CalibrationPose.rightEdgeUp.heldUpBy)
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(calibrating.program.output.contains("Either the left edge was up instead of the right one"))
    #expect(calibrating.file == record)
  }

  @Test("believes a sensor with the sign of another kind in the end, and says what the daemon needs then")
  func unusualSign() throws {
    let calibrating = try Calibrating(sign: .specificForce)
    try calibrating.holdAll()
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(calibrating.program.output.contains("Set FaceAxis=as-read in the configuration"))
  }

  @Test("gives up on a sensor that does not follow the poses")
  func stuck() throws {
    let calibrating = try Calibrating("--write")
    // The first one may be right.
    for _ in 0..<13 { try calibrating.hold(SIMD3(0, 0, 0.1)) }
    #expect(try calibrating.program.exitCode() == 1)
    #expect(
      calibrating.program.errors.contains(
        "12 poses were refused. Perhaps this is not the sensor of the screen"))
    #expect(calibrating.file.isEmpty)
  }

  @Test("says what of the configuration goes before the matrix or changes its meaning")
  func configured() throws {
    let calibrating = try Calibrating(
      configuration:
        "MountMatrix=1,0,0;0,1,0;0,0,1\nAxisConvention=kernel\nNaturalOrientation=landscapeLeft\n")
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    let output = calibrating.program.output
    #expect(output.contains("Its mount matrix: 1, 0, 0; 0, 1, 0; 0, 0, 1 from the configuration.\n"))
    #expect(output.contains("Here a long edge is the top (configured)."))
    #expect(output.contains("has a MountMatrix=, which overrides udev's"))
    #expect(output.contains("has AxisConvention=kernel"))
    #expect(output.contains("\n    systemctl reload orientationd\n"))
    #expect(tooWide(output).isEmpty)
    #expect(output.contains("ACCEL_MOUNT_MATRIX=0, 0, -1; 1, 0, 0; 0, 1, 0\n"))
  }

  @Test("names the label of a sensor that has one, as udev's rules look it up")
  func label() throws {
    let calibrating = try Calibrating(attributes: ["label": "accel-display"])
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(
      calibrating.program.output.contains(
        "    sensor:accel-display:modalias:platform:HID-SENSOR-200073:dmi:*:"))
  }

  @Test("takes the location of a Chrome embedded controller's sensor for its label, as udev's rules do")
  func location() throws {
    let calibrating = try Calibrating(
      sign: .specificForce, attributes: ["name": "cros-ec-accel", "location": "lid"])
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(calibrating.program.output.contains("    sensor:accel-display:modalias:platform:"))
  }

  @Test("shows a line for the daemon's configuration where udev looks no such sensor up")
  func otherBus() throws {
    let calibrating = try Calibrating(bus: "spi")
    try calibrating.holdAll()
    #expect(try calibrating.program.exitCode() == 0)
    #expect(calibrating.program.output.hasSuffix("    [Orientation]\n    MountMatrix=\(matrix)\n\n"))
  }

  @Test("ends at q instead of Enter", arguments: ["q\n", " Q \n"])
  func quit(answer: String) throws {
    let calibrating = try Calibrating()
    try calibrating.wait(forQuestion: "press Enter")
    calibrating.answer(answer)
    #expect(try calibrating.program.exitCode() == 1)
    #expect(calibrating.program.errors.contains("ended before all poses were taken; nothing was changed"))
  }

  @Test("ends with its input, without a result")
  func endOfInput() throws {
    let machine = try TemporaryFolder()
    let empty = try machine.write("", to: "empty.conf")
    let dump = try machine.write(chip, to: "machine.umockdev")
    let program = try ChildProcess(
      "umockdev-run", ["-d", dump, "--", "orientationctl", "calibrate", "--hwdb", "--config", empty])
    #expect(try program.exitCode() == 1)
    #expect(program.output.hasSuffix("Then press Enter, and keep it still for a second.\n"))
    #expect(program.errors.contains("the input ended before all poses were taken"))
  }

  @Test(
    "says before the poses are taken that its lines replace no pipe and no folder",
    arguments: [("pipe", "is not a regular file, and stays"), ("folder", "is a folder"), (nil, "is empty")])
  func irreplaceable(_ name: String?, reason: String) throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0 && mkdir("\(folder.path)/folder", 0o700) == 0)
    let path = name.map { "\(folder.path)/\($0)" } ?? ""
    let calibrating = try Calibrating("--write", "--hwdb-file", path)
    #expect(try calibrating.program.exitCode() == 1)
    #expect(calibrating.program.output.isEmpty)
    #expect(calibrating.program.errors.contains(reason), "\(calibrating.program.errors)")
  }

  @Test("says before the poses are taken what cannot be calibrated or written")
  func impossible() throws {
    let machine = try TemporaryFolder()
    let dump = try machine.write(chip, to: "machine.umockdev")
    func refusal(_ options: String..., configuration: String = "") throws -> String {
      let file = try machine.write(configuration, to: "test.conf")
      let program = try ChildProcess(
        "umockdev-run",
        ["-d", dump, "--", "orientationctl", "calibrate", "--hwdb", "--config", file] + options)
      #expect(try program.exitCode() == 1)
      #expect(program.output.isEmpty)
      return program.errors
    }
    #expect(try refusal(configuration: "Sensor=simulated\n").contains("only a sensor of this machine"))
    #expect(try refusal("--sensor", "nonsense").contains("no accelerometer \"nonsense\""))
    #expect(try refusal("--write").contains("no IIO device on the bus usb, i2c or platform"))
  }
}

/// A chip on SPI, whose sensors udev does not look up.
private let chip = """
  P: /devices/spi0
  E: SUBSYSTEM=spi
  A: modalias=spi:lis3dh\\n

  P: /devices/spi0/iio:device0
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  A: name=lis3dh_accel\\n
  A: in_accel_x_raw=0\\n
  A: in_accel_y_raw=1024\\n
  A: in_accel_z_raw=0\\n
  A: in_accel_scale=0.009577\\n

  """
