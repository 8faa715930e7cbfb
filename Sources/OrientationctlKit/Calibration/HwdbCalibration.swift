// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// A calibration for udev's hardware database: `calibrate --hwdb`.
struct HwdbCalibration {
  /// The bus of the daemon, which need not run.
  let bus: BusOptions
  /// How the poses are taken.
  let poses: CalibrationRun
  /// The sensor that was named; nil for the one that the daemon uses.
  let sensor: String?
  /// Where the entry is written.
  let path: String
  /// Whether the entry is written without a question.
  let isToWrite: Bool
  /// Whether udev reads it then.
  let apply: Bool

  /// Measures the poses, shows the entry, and writes it if that is wanted.
  ///
  /// - Throws: ``CommandError``, `SourceError`, or ``OutputError``.
  func run() throws {
    let settings = poses.settings
    let entry = try chosenSensor(settings)
    let target = HwdbTarget(sensor: entry.sensor, path: path)
    if isToWrite { try target.checkWritable(runsCommands: apply) }

    let natural = poses.natural.orientation
    let matrixSet = bus.runningDaemon?.matrixSet(for: entry.sensor)
    // The configuration's, which is proposed where udev has none, counts before it.
    let isOverridden = matrixSet != nil && target.match != nil
    let inUse = Mounting(of: entry.sensor, configuration: settings, natural: natural, set: matrixSet)
    for warning in inUse.warnings { Report.note(warning) }
    let report = try poses.find(
      "\(entry.sensor.displayName.printable), \(entry.verdict.printable)", mountedBy: inUse.matrixText,
      readBy: try ChipReadings(of: entry.sensor, rate: settings.sampleRate), sign: entry.sensor.sign, scale: 1
    ) {
      try CalibrationResult(
        $0, of: entry.sensor, configuration: settings, natural: natural, isOverridden: isOverridden)
    }
    guard let report else { return }
    try StandardOutput.write(target.proposal(matrix: report.matrix, notes: report.notes))
    try conclude(
      target, matrix: report.matrix,
      whenItTakesEffect: HwdbTarget.whenItTakesEffect(isOverridden: isOverridden))
  }

  /// The sensor that `--sensor` names, or the one that the daemon uses without that option.
  private func chosenSensor(_ settings: Configuration) throws -> SensorCatalog.Entry {
    var settings = settings
    if let sensor { settings.sensor = .named(sensor) }
    guard settings.sensor.isOfThisMachine else {
      throw CommandError(
        "only a sensor of this machine can be calibrated, not Sensor=\(settings.sensor); select one with --sensor"
      )
    }
    guard let used = try SensorCatalog(for: settings).used else {
      throw CommandError(
        sensor.map { "no accelerometer \"\($0)\"; orientationctl sensors lists the sensors" }
          ?? "no accelerometer to calibrate (see orientationctl sensors)")
    }
    return used
  }

  /// Writes the lines if the user wants that, and applies them or prints how to apply them.
  private func conclude(_ target: HwdbTarget, matrix: MountMatrix, whenItTakesEffect: String) throws {
    guard target.match != nil else { return }
    let isWritten = isToWrite || (target.isWritable && confirms("Write them?"))
    if isWritten {
      try target.write(matrix)
      try StandardOutput.write("Written.\n")
    }
    if apply {
      try target.apply(matrix)
      try StandardOutput.write("udev has it now. \(whenItTakesEffect)\n")
    } else {
      try StandardOutput.write(
        """
        \(isWritten ? "Then run" : "After you have written them, run"):

        \(target.commandLines.map { "    \($0)" }.joined(separator: "\n"))

        \(whenItTakesEffect)

        """)
    }
  }

  /// Asks a question on a terminal; elsewhere the answer is no.
  private func confirms(_ question: String) -> Bool {
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0 else { return false }
    try? StandardOutput.write("\(question) [y/N] ")
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}
