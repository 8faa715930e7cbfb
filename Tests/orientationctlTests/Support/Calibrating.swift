// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import SensorSetup
import TestSupport

@testable import OrientationctlKit

/// A run of `orientationctl calibrate` on a machine of the test's own, and the person who turns the tablet.
final class Calibrating {
  let kernel = MockKernel()
  let program: ChildProcess
  private let folder: TemporaryFolder
  private let input: CInt
  private let mounting: Mounting
  private let sign: SignConvention
  private var asked = 0

  /// Where the sensor is.
  static let path = "/sys/devices/platform/HID-SENSOR-200073.1.auto/iio:device0"

  /// Starts it.
  ///
  /// - Parameters:
  ///   - options: besides `--config` and `--hwdb-file`.
  ///   - file: what the hwdb file holds; nil for none.
  ///   - configuration: the daemon's.
  ///   - mounting: how the hub sits.
  ///   - matrix: what udev has for it.
  ///   - sign: the hub's.
  ///   - bus: the one that it is on.
  ///   - attributes: what it has in sysfs besides the usual.
  ///   - isHurried: whether a pose is held still for a tenth of a second only, instead of what people are asked for.
  /// - Throws: what keeps it from being started.
  init(
    _ options: String..., file: String? = nil, configuration: String = "", mounting: Mounting = .all[7],
    matrix: String? = nil, sign: SignConvention = .gravity, bus: String = "platform",
    attributes: [String: String] = [:], isHurried: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    self.mounting = mounting
    self.sign = sign
    kernel.addDevice(
      "platform/HID-SENSOR-200073.1.auto", subsystem: bus, modalias: "platform:HID-SENSOR-200073")
    kernel.addDevice("virtual/dmi/id", subsystem: "dmi", modalias: "dmi:bvnX:bvr1:svnMaker:pnTab(let):ct30:")
    kernel.addDevice(
      "iio:device0", under: "platform/HID-SENSOR-200073.1.auto",
      attributes: hubAttributes().merging(attributes) { $1 },
      udev: matrix.map { ["ACCEL_MOUNT_MATRIX": $0] } ?? [:])
    kernel.addConnector("card0-eDP-1", modes: ["800x1280"])
    if let file { try folder.write(file, to: "local.hwdb") }
    let fifo = "\(folder.path)/input"
    mkfifo(fifo, 0o600)
    // For reading too: else the opening would wait for the program.
    input = open(fifo, O_RDWR | O_CLOEXEC)
    program = try ChildProcess(
      isHurried ? "calibrate-test-helper" : "orientationctl",
      [
        "calibrate", "--config", folder.write(configuration, to: "test.conf"),
        "--hwdb-file", "\(folder.path)/local.hwdb",
      ] + options, environment: kernel.environment, input: .path(fifo))
  }

  deinit { close(input) }

  /// What the hwdb file holds now; empty without one.
  var file: String { folder.read("local.hwdb") }

  /// The path of the hwdb file.
  var filePath: String { "\(folder.path)/local.hwdb" }

  /// Waits for the next question, takes a pose, and says so.
  func hold(_ held: SIMD3<Double>) throws {
    asked += 1
    try wait(for: "question \(asked)") { [self] in
      program.output.split(separator: "press Enter", omittingEmptySubsequences: false).count > asked
    }
    let reading = mounting.reading(of: held, sign)
    for (axis, value) in [("x", reading.x), ("y", reading.y), ("z", reading.z)] {
      // The hub counts in mg.
      let count = Int((value / 0.009_806_65).rounded())
      kernel.set("in_accel_\(axis)_raw", of: Self.path, to: "\(count)")
    }
    _ = write(input, "\n", 1)
  }

  /// Takes all poses, leaning as hands do.
  func holdAll() throws {
    try hold(held(elevation: 65, roll: 10))
    try hold(held(elevation: 5, roll: 200))
    try hold(held(elevation: 110, roll: 95))
  }
}
