// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import SensorSetup
import TestSupport

@testable import OrientationctlKit

/// A run of `orientationctl calibrate`, by default with `--hwdb`, on a machine of the test's own, and the person who turns the tablet.
final class Calibrating {
  let program: ChildProcess
  private let folder: TemporaryFolder
  private let input: CInt
  let machine: CalibratedMachine
  private var asked = 0

  /// Where the sensor is.
  static let path = CalibratedMachine.path

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
    _ options: String..., file: String? = nil, configuration: String = "", mounting: ChipMounting = .all[7],
    matrix: String? = nil, sign: SignConvention = .gravity, bus: String = "platform",
    attributes: [String: String] = [:], isHurried: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    machine = CalibratedMachine(
      mounting: mounting, matrix: matrix, sign: sign, bus: bus, attributes: attributes)
    if let file { try folder.write(file, to: "local.hwdb") }
    let (fifo, input) = Self.makeInput(in: folder)
    self.input = input
    program = try ChildProcess(
      isHurried ? "calibrate-test-helper" : "orientationctl",
      [
        "calibrate", "--hwdb", "--config", folder.write(configuration, to: "test.conf"),
        "--hwdb-file", "\(folder.path)/local.hwdb",
      ] + options, environment: machine.kernel.environment, input: .path(fifo))
  }

  /// Starts it while a daemon runs.
  ///
  /// - Parameters:
  ///   - daemon: the daemon, by which it calibrates without `--hwdb`.
  ///   - options: those besides `--hwdb`, `--config` and `--hwdb-file`; nil without these.
  /// - Throws: what keeps it from being started.
  init(by daemon: CalibratedDaemon, hwdbOptions options: [String]? = nil) throws {
    folder = try TemporaryFolder()
    machine = daemon.machine
    let (fifo, input) = Self.makeInput(in: folder)
    self.input = input
    let hwdb = [
      "calibrate", "--hwdb", "--config", daemon.configurationPath, "--hwdb-file", "\(folder.path)/local.hwdb",
    ]
    program = try ChildProcess(
      "calibrate-test-helper", options.map { hwdb + $0 } ?? Self.arguments(by: daemon),
      environment: daemon.environment, input: .path(fifo))
  }

  deinit { close(input) }

  /// The command line for a daemon.
  static func arguments(by daemon: CalibratedDaemon) -> [String] {
    ["calibrate", "--config", daemon.configurationPath, "--socket", daemon.socket.path]
  }

  private static func makeInput(in folder: TemporaryFolder) -> (path: String, descriptor: CInt) {
    let fifo = "\(folder.path)/input"
    mkfifo(fifo, 0o600)
    // For reading too: else the opening would wait for the program.
    return (fifo, open(fifo, O_RDWR | O_CLOEXEC))
  }

  /// Waits until it has asked something.
  func wait(forQuestion text: String) throws {
    do {
      try TestSupport.wait(for: text) { [self] in program.output.contains(text) }
    } catch {
      throw GaveUp(description: "\(error)\n\(program.output)\n\(program.errors)")
    }
  }

  /// Types an answer.
  func answer(_ text: String) { _ = write(input, text, text.utf8.count) }

  /// What the hwdb file holds now; empty without one.
  var file: String { folder.read("local.hwdb") }

  /// The path of the hwdb file.
  var filePath: String { "\(folder.path)/local.hwdb" }

  /// Waits for the next question, takes a pose, and says so.
  func hold(_ held: SIMD3<Double>) throws {
    asked += 1
    try TestSupport.wait(for: "question \(asked)") { [self] in
      program.output.split(separator: "press Enter", omittingEmptySubsequences: false).count > asked
    }
    machine.hold(held)
    _ = write(input, "\n", 1)
  }

  /// Takes all poses, leaning as hands do.
  func holdAll() throws {
    try hold(held(elevation: 65, roll: 10))
    try hold(held(elevation: 5, roll: 200))
    try hold(held(elevation: 110, roll: 95))
  }
}
