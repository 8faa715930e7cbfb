// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Glibc
import Orientation
import SensorSetup
import Systemd

/// A calibration by way of the daemon, which keeps the matrix: `calibrate` without `--hwdb`.
struct DaemonCalibration {
  /// The bus of the daemon.
  let bus: BusOptions
  /// The path of the daemon's motion socket.
  let socket: String
  /// The daemon's configuration.
  let settings: Configuration
  /// Whether the poses are asked for in lines, also in a terminal.
  let asksInLines: Bool
  /// How long each pose must be held still.
  let secondsStill: Double
  /// How long the matrix is tried, in seconds.
  let previewSeconds: UInt32

  /// Measures the poses, has the daemon try the matrix, and keeps it after a yes.
  ///
  /// - Throws: ``CommandError`` or ``OutputError``; then nothing was kept.
  func run() throws {
    let daemon = try DaemonMounting(options: bus)
    let before = try daemon.sensor()
    let screen = try daemon.screen()
    guard screen.lock != .locked else {
      throw CommandError(
        "rotation is locked, so nobody would see whether the screen turns rightly: run `orientationctl unlock` first"
      )
    }
    let inUse = try mounting(before, on: screen)
    let natural = DetectedNaturalOrientation(by: settings.naturalOrientation)
    try StandardOutput.write(
      "Calibrating \(before.sensorName.printable).\nIts mount matrix: \(Self.text(of: before)).\n\n")
    var session = PoseSession(
      try MotionReadings(socket: socket, mounting: inUse) {
        try Self.checkUnchanged(before, by: try daemon.sensor())
      }, expectedSign: .specificForce, natural: natural, secondsStill: secondsStill,
      screen: asksInLines ? nil : CalibrationScreen(natural: natural.orientation))
    let calibration = try session.run()
    let matrix = try inUse.corrected(by: calibration)
    var table = FieldTable(indentation: "  ")
    table.add("Mount matrix", "\(matrix)")
    table.add("In use", Self.text(of: before))
    try StandardOutput.write("Found:\n\(table.text)\n")
    // The daemon has applied the factor.
    if let finding = lengthFinding(
      session.lengths.map { $0 / settings.scaleFactor }, scaleFactor: settings.scaleFactor)
    {
      try StandardOutput.write("\(finding)\n\n")
    }
    guard !inUse.isRight(by: calibration) else {
      return try StandardOutput.write("The matrix in use is already right: there is nothing to change.\n")
    }
    try confirm(matrix, daemon)
  }

  /// The mounting that the daemon says.
  private func mounting(_ sensor: DeviceSnapshot, on screen: ScreenSnapshot) throws -> MountingInUse {
    guard !sensor.sensorName.isEmpty else {
      throw CommandError("orientationd has no accelerometer to calibrate (see orientationctl sensors)")
    }
    guard sensor.matrixSource != .configuration else {
      throw CommandError(
        """
        the configuration of orientationd has a MountMatrix=, before which no other one counts; remove it, run \
        `systemctl reload orientationd`, and calibrate again
        """)
    }
    guard let matrix = try? MountMatrix(parsing: sensor.mountMatrix),
      let natural = OutputTransform(rawValue: screen.transform).flatMap({
        NaturalOrientation(showing: screen.orientation, by: $0)
      })
    else {
      throw CommandError(
        "\(sensor.sensorName.printable) cannot be calibrated: only a sensor of this machine can, by a daemon of this version"
      )
    }
    return MountingInUse(matrix: matrix, natural: natural)
  }

  /// "0, 1, 0; -1, 0, 0; 0, 0, 1 from the driver".
  private static func text(of sensor: DeviceSnapshot) -> String {
    guard !sensor.mountMatrixSource.isEmpty else { return "none" }
    let source = sensor.matrixSource?.words ?? sensor.mountMatrixSource.printable
    return "\(sensor.mountMatrix.printable) from \(source)"
  }

  /// Checks that the daemon uses the same sensor and matrix as before the first pose.
  private static func checkUnchanged(_ before: DeviceSnapshot, by now: DeviceSnapshot) throws(CommandError) {
    guard now.hasMounting(of: before) else {
      throw CommandError(
        "the sensor or its mount matrix has changed during the calibration; nothing was changed, calibrate again"
      )
    }
  }

  /// Has the daemon use the matrix for a moment, and keep it if the person says that it is right.
  private func confirm(_ matrix: MountMatrix, _ daemon: DaemonMounting) throws {
    try daemon.preview(matrix, seconds: previewSeconds)
    try StandardOutput.write(
      "For \(previewSeconds) s, the screen turns by the new matrix. Turn the device.\n")
    guard let answer = try answer("Does the screen turn rightly now? [y/N] ") else {
      throw CommandError("there was no answer in time: the screen turns as before, and nothing was kept")
    }
    guard answer else { throw CommandError("the screen turns as before, and nothing was kept") }
    try daemon.set(matrix)
    guard try daemon.screen().isStateKept else {
      return Report.note(
        "orientationd uses it, but cannot save it: it lasts until the service restarts; its journal says why")
    }
    try StandardOutput.write(
      """
      Kept: orientationd uses it from now on. To forget it: orientationctl calibrate --reset
      For iio-sensor-proxy, and for other users of this model: orientationctl calibrate --hwdb

      """)
  }

  /// Asks a question; nil if a person at a terminal does not answer while the preview lasts.
  private func answer(_ question: String) throws(OutputError) -> Bool? {
    try StandardOutput.write(question)
    if isatty(STDIN_FILENO) != 0 {
      // What was typed before the question answers nothing.
      tcflush(STDIN_FILENO, TCIFLUSH)
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, CInt(previewSeconds) * 1000) > 0 else { return nil }
    }
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}
