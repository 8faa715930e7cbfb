// SPDX-License-Identifier: Apache-2.0

// This folder: `calibrate` asks for three poses (PoseSession), and has the daemon keep the matrix (DaemonCalibration), or writes it for udev
// (HwdbCalibration). What the poses mean is calculated in the room Calibration of the target Orientation.

import ArgumentParser
import Following
import Orientation
import SensorSetup

/// `orientationctl calibrate`: finds the mount matrix from three poses, and has the daemon use it.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Find the mount matrix from three poses, for a screen that turns the wrong way.",
    discussion: """
      The command asks for three poses - upright, flat, right edge up -, reads the sensor in each pose, and calculates \
      how it is mounted. Confirm each pose with Enter, or, in a script, with a line on the standard input; q ends the command. It \
      refuses a pose that is not held still or contradicts the others; it gives the reason, and asks for the pose again.

      Then the screen turns by the new matrix for 15 s. After the answer yes, orientationd keeps the matrix, for this \
      sensor in this model of machine; otherwise the screen turns as before. --reset forgets it.

      In a terminal, it shows a picture of each pose, how far the tablet is tilted from it, and a bar that fills while \
      the tablet is held still. --lines asks in plain lines instead.

      This needs an administrator's password, for which the command asks in a terminal. Root needs none.

      With --hwdb, the command shows the lines for udev's hardware database that set the matrix, for orientationd and \
      iio-sensor-proxy. It writes nothing without --write, --apply, or the answer yes to its question. It asks only on a \
      terminal, and only if the file can be written. Measuring needs no privileges then; writing does.
      """)

  @OptionGroup var bus: BusOptions
  @OptionGroup var settings: ConfigurationOptions

  @Flag(name: .customLong("lines"), help: "Ask in lines, also in a terminal: for screen readers.")
  var asksInLines = false

  @Flag(help: "Forget the matrix that orientationd has kept.")
  var reset = false

  @Option(
    help: ArgumentHelp("Connect to this motion socket instead of the daemon's.", valueName: "path"),
    completion: .file())
  var socket: String?

  @Flag(help: "Show the lines for udev's hardware database instead.")
  var hwdb = false

  @Option(
    help: ArgumentHelp(
      "With --hwdb: calibrate this sensor, instead of the one that the daemon uses: an id, name, label or path in sysfs.",
      valueName: "name"),
    completion: .sensors())
  var sensor: String?

  @Flag(help: "With --hwdb: write the lines, in place of the lines for this sensor in the file.")
  var write = false

  @Flag(help: "With --hwdb: write the lines, have udev read them, and check that they apply.")
  var apply = false

  @Option(help: ArgumentHelp("With --hwdb: write to another file.", valueName: "file"), completion: .file())
  var hwdbFile: String?

  /// How long the daemon tries a matrix, in seconds.
  static let previewSeconds: UInt32 = 15

  func validate() throws {
    let forHwdb = [
      ("--sensor", sensor != nil), ("--write", write), ("--apply", apply), ("--hwdb-file", hwdbFile != nil),
    ].first(where: \.1)?.0
    if let forHwdb, !hwdb {
      throw ValidationError(
        """
        \(forHwdb) is for udev's hardware database, so it needs --hwdb. Without --hwdb, orientationd itself keeps the matrix, \
        at once and without root.
        """)
    }
    if reset, socket != nil || asksInLines {
      throw ValidationError(
        "--reset asks nothing and reads nothing: it takes no \(socket != nil ? "--socket" : "--lines").")
    }
    if hwdb, reset { throw ValidationError("--reset has orientationd forget a matrix; --hwdb is for udev.") }
    if hwdb, socket != nil || bus.isUser {
      throw ValidationError(
        "--hwdb reads the sensor itself, and takes no \(socket != nil ? "--socket" : "--user").")
    }
  }

  func run() throws { try run(secondsStill: Stillness.ofHand, previewSeconds: Self.previewSeconds) }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - secondsStill: how long each pose must be held still.
  ///   - previewSeconds: how long the daemon tries the matrix.
  /// - Throws: ``CommandError``, `SourceError`, or ``OutputError``.
  func run(secondsStill: Double, previewSeconds: UInt32) throws {
    if reset { return try DaemonCalibration.reset(by: bus) }
    let poses = CalibrationRun(
      settings: try settings.loadElseSystem(), asksInLines: asksInLines, secondsStill: secondsStill)
    if hwdb {
      try HwdbCalibration(
        bus: bus, poses: poses, sensor: sensor, path: hwdbFile ?? HwdbTarget.standardPath,
        isToWrite: write || apply, apply: apply
      ).run()
    } else {
      try DaemonCalibration(
        bus: bus, socket: socket ?? MotionCommand.daemonSocket, poses: poses, previewSeconds: previewSeconds
      ).run()
    }
  }
}
