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
  /// How the poses are taken.
  let poses: CalibrationRun
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
        """
        rotation is locked, so nobody would see whether the screen turns rightly; to unlock it:

            orientationctl unlock
        """
      )
    }
    let inUse = try mounting(before, on: screen)
    // The daemon has applied the factor.
    let scale = poses.settings.scaleFactor
    let readings = try MotionReadings(socket: socket, mounting: inUse)
    let result = try poses.find(
      before.sensorName.printable, mountedBy: before.matrixText, readBy: readings, sign: .specificForce,
      scale: scale, checkedBy: { if try !daemon.sensor().hasMounting(of: before) { throw Self.changed } }
    ) {
      // The axes of the sensor are the daemon's affair.
      CalibrationResult(matrix: try inUse.corrected(by: $0), isRightAlready: inUse.isRight(by: $0))
    }
    if let result { try confirm(result.matrix, daemon) }
  }

  /// Has the daemon forget the matrix that was set, and says which one counts then.
  ///
  /// - Throws: ``CommandError`` or ``OutputError``.
  static func reset(by options: BusOptions) throws {
    let daemon = try DaemonMounting(options: options)
    try daemon.change(by: .sensor("ResetMountMatrix", authorization: .ofTerminal))
    let sensor = try daemon.sensor()
    try StandardOutput.write(
      """
      The mount matrix that was set with this command is forgotten.
      The one of \(sensor.sensorName.printable) is now: \(sensor.matrixText).

      """)
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
        this, and calibrate again:

            systemctl reload orientationd
        """)
    }
    guard let matrix = try? MountMatrix(parsing: sensor.mountMatrix),
      let natural = screen.naturalOrientation
    else {
      throw CommandError(
        "\(sensor.sensorName.printable) cannot be calibrated: it is no sensor of this machine, or the daemon is older"
      )
    }
    return MountingInUse(matrix: matrix, natural: natural)
  }

  private static let changed = CommandError(
    "the sensor or its mount matrix has changed during the calibration; nothing was changed, calibrate again")

  /// Has the daemon use the matrix for a moment, and keep it if the person says that it is right.
  private func confirm(_ matrix: MountMatrix, _ daemon: DaemonMounting) throws {
    try daemon.change(
      by: .sensor(
        "PreviewMountMatrix", .string("\(matrix)"), .uint32(previewSeconds), authorization: .ofTerminal))
    try StandardOutput.write(
      "For \(previewSeconds) s, the screen turns by the new matrix. Turn the device.\n")
    guard let answer = try answer("Does the screen turn rightly now? [y/N] ") else {
      throw CommandError("there was no answer in time: the screen turns as before, and nothing was kept")
    }
    guard answer else { throw CommandError("the screen turns as before, and nothing was kept") }
    try daemon.change(by: .sensor("SetMountMatrix", .string("\(matrix)"), authorization: .ofTerminal))
    guard try daemon.screen().isStateKept else {
      return Report.note(
        "orientationd uses it, but cannot save it: it lasts until the service restarts; its journal says why")
    }
    try StandardOutput.write(
      """
      Kept: orientationd uses it from now on. To forget it:

          orientationctl calibrate --reset

      For iio-sensor-proxy, and for other users of this model:

          orientationctl calibrate --hwdb

      """)
  }

  /// Asks a question; nil if a person at a terminal does not answer while the preview lasts.
  private func answer(_ question: String) throws(OutputError) -> Bool? {
    let isTyped = isatty(STDIN_FILENO) != 0
    // What was typed before the question answers nothing; what is typed once it can be read counts.
    if isTyped { tcflush(STDIN_FILENO, TCIFLUSH) }
    try StandardOutput.write(question)
    if isTyped {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, CInt(previewSeconds) * 1000) > 0 else {
        try StandardOutput.write("\n")
        return nil
      }
    }
    let line = readLine()
    // The terminal has shown the line feed that was typed.
    if line == nil || !isTyped { try StandardOutput.write("\n") }
    return ["y", "yes"].contains((line ?? "").lowercased())
  }
}

extension DeviceSnapshot {
  /// The mount matrix and its source, for people: "0, 1, 0; -1, 0, 0; 0, 0, 1 from the driver".
  fileprivate var matrixText: String {
    guard !mountMatrixSource.isEmpty else { return "none" }
    return "\(mountMatrix.printable) from \(matrixSource?.words ?? mountMatrixSource.printable)"
  }
}
