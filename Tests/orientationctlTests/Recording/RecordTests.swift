// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

/// Each runs under umockdev, which puts a /sys of the test's own in place of the machine's.
@Suite("orientationctl record")
struct RecordTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a recording of the devices into "recording.csv", with a configuration of the test's own.
  private func start(_ arguments: [String], devices: String = "", configuration: String = "") throws
    -> ChildProcess
  {
    let machine = try folder.write(devices, to: "machine.umockdev")
    let settings = try folder.write(configuration, to: "test.conf")
    let command = ["orientationctl", "record", "--config", settings] + arguments
    return try ChildProcess("umockdev-run", ["-d", machine, "--"] + command)
  }

  private var file: String { "\(folder.path)/recording.csv" }
  private var lines: [String] { folder.read("recording.csv").split(separator: "\n").map(String.init) }
  private var remarks: [String] { lines.filter { $0.hasPrefix("#") } }
  /// The fields of each sample.
  private var samples: [[String]] {
    lines.filter { !$0.hasPrefix("#") }.dropFirst().map { $0.split(separator: ",").map(String.init) }
  }

  @Test("writes what the sensor says, converted and as counted, under a header that says how")
  func polled() throws {
    let program = try start(["--seconds", "0.4", file], devices: chip)
    #expect(try program.exitCode() == 0)
    #expect(program.output.isEmpty)
    #expect(program.errors.contains(" written to \(file); "))
    #expect(program.errors.hasSuffix(" at the limit of the sensor's range\n"))
    let header = [
      "# orientationd: ", "# kernel: Linux ", "# sensor: kxsd9 (iio:device3)",
      "# chosen: in the display (label accel-display)", "# label: accel-display",
      "# path: /sys/devices/i2c-1/1-0018/iio:device3", "# driver: kxsd9", "# modalias: i2c:kxsd9",
      "# scale: 0.5, 0.25, 2.0", "# offset: 2.0, -4.5, 0.0",
      "# mount matrix: 0, 1, 0; 1, 0, 0; 0, 0, 1 from udev (ACCEL_MOUNT_MATRIX)",
      "# convention: AxisConvention=proxy FaceAxis=auto",
      "# screen axes: right edge -y, top -x, out of the screen -z", "# sampling: polled at 25 Hz",
      "# started: 20",
    ]
    for line in header { #expect(remarks.contains { $0.hasPrefix(line) }, "\(line)") }
    #expect(lines.first { !$0.hasPrefix("#") } == "t_s,ax,ay,az,raw_x,raw_y,raw_z")
    #expect(samples.first == ["0.000000", "-1.375000", "9.000000", "-6.000000", "-20", "10", "3"])
    #expect(samples.count > 2)
    let times = samples.compactMap { $0.first.flatMap { Double($0) } }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.allSatisfy { $0 <= 0.4 })
  }

  @Test("has a line for each fact of the header, whatever the sensor is called, and says so in errors")
  func hostileName() throws {
    let machine = chip.replacing("kxsd9\\n", with: "\(hostileLine)\\n")
    #expect(try start(["--seconds", "0.1", file], devices: machine).exitCode() == 0)
    #expect(remarks.contains("# sensor: \(shownLine) (iio:device3)"))
    #expect(isHarmless(lines.joined()))
    let failing = machine.replacing("in_accel_x_scale=", with: "in_accel_x_scale=far\u{1b}[2J")
    let program = try start(["--seconds", "0.1", "--force", file], devices: failing)
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains(#"far\u{1b}[2J"#))
    #expect(isHarmless(program.errors))
  }

  @Test("records what a driver counts in 18 digits, at the largest scale that it is believed")
  func absurdCounts() throws {
    let machine = chip.replacing("in_accel_y_raw=10", with: "in_accel_y_raw=-123456789012345678")
      .replacing("in_accel_y_scale=0.25", with: "in_accel_y_scale=100000")
    let program = try start(["--seconds", "0.2", file], devices: machine)
    #expect(try program.exitCode() == 0)
    #expect(samples.first?[1].hasPrefix("1.2345678901234") == true)
    #expect(samples.first?[1].hasSuffix("e+22") == true)
    #expect(try orientationctl("classify", file).exitCode() == 0)
  }

  @Test("makes a recording that classify takes")
  func classify() throws {
    #expect(try start(["--seconds", "0.4", file], devices: chip).exitCode() == 0)
    let classified = try orientationctl("classify", file)
    #expect(try classified.exitCode() == 0)
    #expect(classified.output.hasSuffix(",portrait\n"))
    #expect(classified.lines.count == 1)
  }

  @Test("makes a recording that make quality takes")
  func benchmarks() throws {
    #expect(try start(["--seconds", "0.4", file], devices: chip).exitCode() == 0)
    let quality = projectFolder.appending(path: "Benchmarks/quality")
    let script = "import sys, recordings; print(len(recordings.Recording(sys.argv[1]).seconds))"
    let reader = try ChildProcess(
      "/usr/bin/python3", ["-B", "-c", script, file], environment: ["PYTHONPATH": quality.path])
    #expect(try reader.exitCode() == 0)
    #expect(reader.output == "\(samples.count)\n")
  }

  @Test("does not write over a file, unless it is told to")
  func overwriting() throws {
    try folder.write("precious\n", to: "recording.csv")
    let refused = try start(["--seconds", "0.2", file], devices: chip)
    #expect(try refused.exitCode() == 1)
    #expect(refused.errors.contains("\(file) exists; --force overwrites it"))
    #expect(folder.read("recording.csv") == "precious\n")
    #expect(try start(["--force", "--seconds", "0.2", file], devices: chip).exitCode() == 0)
    #expect(lines.first == "# recorded by orientationctl record; see orientationctl(1)")
    #expect(!lines.contains("precious"))
  }

  @Test("goes to the standard output as -, and ends when nobody reads that")
  func standardOutput() throws {
    let program = try start(["--seconds", "0.2", "-"], devices: chip)
    #expect(try program.exitCode() == 0)
    #expect(program.output.contains("\nt_s,ax,ay,az,raw_x,raw_y,raw_z\n"))
    let machine = try folder.write(chip, to: "machine.umockdev")
    let pipe = try ChildProcess(
      "umockdev-run",
      [
        "-d", machine, "--", "bash", "-c",
        "set -o pipefail; orientationctl record --config /dev/null - | head -n 1",
      ])
    #expect(try pipe.exitCode() == 0)
    #expect(pipe.output == "# recorded by orientationctl record; see orientationctl(1)\n")
  }

  @Test("ends in good order on Ctrl-C and on SIGTERM, each line whole", arguments: [SIGINT, SIGTERM])
  func signals(signal: CInt) throws {
    let program = try ChildProcess(
      "orientationctl",
      [
        "record", "--config", "/dev/null", "--sensor", "simulated", file,
      ])
    try wait(for: "samples") { samples.count > 2 }
    program.send(signal)
    #expect(try program.exitCode() == 0)
    #expect(samples.allSatisfy { $0.count == 4 })
    #expect(remarks.contains("# sensor: simulated: no real tablet"))
    #expect(folder.read("recording.csv").hasSuffix("\n"))
  }

  @Test("goes on under nohup when the terminal closes")
  func hangUpIgnored() throws {
    let words = "record --config /dev/null --sensor simulated"
    let program = try ChildProcess("sh", ["-c", "trap '' HUP; exec orientationctl \(words) \(file)"])
    try wait(for: "samples") { samples.count > 2 }
    program.send(SIGHUP)
    let before = samples.count
    try wait(for: "more samples") { samples.count > before + 25 }
    program.send(SIGTERM)
    #expect(try program.exitCode() == 0)
  }

  @Test("has only what belongs into it, if there is nowhere to write messages")
  func noErrors() throws {
    let command = "orientationctl record --config /dev/null --sensor simulated --seconds 0.3"
    #expect(try ChildProcess("sh", ["-c", "exec \(command) \(file) 2>&-"]).exitCode() == 0)
    #expect(samples.count > 2)
    #expect(!folder.read("recording.csv").contains("orientationctl: "))
  }

  @Test("polls a sensor whose buffer cannot be had, and says why")
  func noBuffer() throws {
    let program = try start(["--seconds", "0.2", file], devices: hubWithoutNode)
    #expect(try program.exitCode() == 0)
    let reason = "accel_3d (iio:device0): no buffered samples: there is no /dev/iio:device0"
    #expect(program.errors.contains("\(reason); polling it instead\n"))
    #expect(remarks.contains("# no buffer: \(reason)"))
    #expect(remarks.contains("# sampling: polled at 25 Hz"))
    #expect(remarks.contains("# scan formats: le:s16/32>>0, le:s16/32>>0, le:s16/32>>0"))
    #expect(samples.first == ["0.000000", "0.000000", "9.806650", "0.000000", "0", "-1000", "0"])
  }

  @Test("says why there is nothing to record, and leaves no file")
  func nothing() throws {
    let program = try start([file])
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("no accelerometer: the kernel shows no IIO device"))
    let missing = try start(["--sensor", "accel_3d", file], devices: chip)
    #expect(try missing.exitCode() == 1)
    #expect(
      missing.errors.contains(
        "no sensor \"accel_3d\": available is kxsd9 (iio:device3) with the label accel-display"))
    let replay = try start(["--sensor", "replay:old.csv", file], devices: chip)
    #expect(try replay.exitCode() == 1)
    #expect(replay.errors.contains("old.csv is already a recording"))
    #expect(access(file, F_OK) != 0)
  }

  @Test("of a sensor that fails ends with status 1, and says so in the file too")
  func failing() throws {
    let broken = chip.replacingOccurrences(of: "in_accel_y_raw=10", with: "in_accel_y_raw=up")
    let program = try start([file], devices: broken)
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("in_accel_y_raw: \"up\": a number was expected"))
    #expect(remarks.last?.hasPrefix("# ended: ") == true)
    #expect(samples.isEmpty)
  }

  @Test("says where a file cannot be written")
  func unwritable() throws {
    let program = try start(["--seconds", "0.2", "/nonexistent/recording.csv"], devices: chip)
    #expect(try program.exitCode() == 1)
    #expect(
      program.errors.contains("/nonexistent/recording.csv cannot be written: No such file or directory"))
  }
}

/// A chip with unequal axes, which reads what a tablet upright reads by its matrix.
private let chip = """
  P: /devices/i2c-1/1-0018
  E: SUBSYSTEM=i2c
  A: modalias=i2c:kxsd9\\n
  L: driver=../../../bus/i2c/drivers/kxsd9

  P: /devices/i2c-1/1-0018/iio:device3
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  E: ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0; 0, 0, 1
  A: name=kxsd9\\n
  A: label=accel-display\\n
  A: in_accel_x_raw=-20\\n
  A: in_accel_y_raw=10\\n
  A: in_accel_z_raw=3\\n
  A: in_accel_x_scale=0.5\\n
  A: in_accel_x_offset=2\\n
  A: in_accel_y_scale=0.25\\n
  A: in_accel_y_offset=-4.5\\n
  A: in_accel_z_scale=2\\n

  """

/// A HID sensor hub with a buffer, but without a device node to read it from.
private let hubWithoutNode = """
  P: /devices/platform/hub/iio:device0
  E: DEVTYPE=iio_device
  E: SUBSYSTEM=iio
  A: name=accel_3d\\n
  A: in_accel_x_raw=0\\n
  A: in_accel_y_raw=-1000\\n
  A: in_accel_z_raw=0\\n
  A: in_accel_scale=0.009806650\\n
  A: buffer/enable=0\\n
  \(hubScanElements)

  """
