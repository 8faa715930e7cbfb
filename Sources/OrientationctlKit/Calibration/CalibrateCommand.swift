// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// `orientationctl calibrate`: finds the mount matrix from three poses, and sets it in udev's hardware database.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Find the mount matrix from three poses, for a screen that turns the wrong way.",
    discussion: """
      The command asks for three poses - upright, flat, right edge up -, reads the sensor in each pose, and calculates \
      how it is mounted. Confirm each pose with Enter, or, in a script, with a line on the standard input. The command \
      refuses a pose that is not held still or contradicts the others; it gives the reason, and asks for the pose again.

      In a terminal, it shows a picture of each pose, how far the tablet is tilted from it, and a bar that fills while \
      the tablet is held still. --lines prints the same requests as without a terminal.

      It shows the new matrix beside the one in use, and the lines for udev's hardware database that set the matrix, for \
      orientationd and iio-sensor-proxy. It writes nothing without --write, --apply, or the answer yes to its \
      question. It asks only on a terminal, and only if the file can be written.

      Measuring needs no privileges; writing does.
      """)

  @OptionGroup var settings: ConfigurationOptions

  @Option(
    help: ArgumentHelp(
      "Calibrate this sensor, instead of the one that the daemon uses: an id, name, label or path in sysfs.",
      valueName: "name"),
    completion: .sensors())
  var sensor: String?

  @Flag(name: .customLong("lines"), help: "Ask in lines, also in a terminal: for screen readers.")
  var asksInLines = false

  @Flag(help: "Write the lines, in place of the lines for this sensor in the file.")
  var write = false

  @Flag(help: "Write the lines, have udev read them, and check that they apply.")
  var apply = false

  @Option(help: ArgumentHelp("Write to another file.", valueName: "file"), completion: .file())
  var hwdbFile = HwdbTarget.standardPath

  private var isToWrite: Bool { write || apply }

  func run() throws { try run(secondsStill: Stillness.ofHand) }

  /// Runs the command.
  ///
  /// - Parameter secondsStill: how long each pose must be held still.
  /// - Throws: ``CommandError``, `SourceError`, or ``OutputError``.
  func run(secondsStill: Double) throws {
    let settings = try settings.loadElseSystem()
    let entry = try chosenSensor(settings)
    let target = HwdbTarget(sensor: entry.sensor, path: hwdbFile)
    if isToWrite { try target.checkWritable(runsCommands: apply) }

    let natural = DetectedNaturalOrientation(by: settings.naturalOrientation)
    let inUse = Mounting(of: entry.sensor, configuration: settings, natural: natural.orientation)
    for warning in inUse.warnings { Report.note(warning) }
    try StandardOutput.write(
      """
      Calibrating \(entry.sensor.displayName.printable), \(entry.verdict.printable).
      Its mount matrix: \(inUse.matrixText).


      """)
    var session = try PoseSession(
      entry.sensor, natural: natural, rate: settings.sampleRate, secondsStill: secondsStill,
      screen: asksInLines ? nil : CalibrationScreen(natural: natural.orientation))
    let calibration = try session.run()
    let report = try CalibrationReport(
      calibration, of: entry.sensor, configuration: settings, natural: natural.orientation)
    try StandardOutput.write("Found:\n\(report.text)\n")
    if let finding = lengthFinding(session.lengths, scaleFactor: settings.scaleFactor) {
      try StandardOutput.write("\(finding)\n\n")
    }
    guard !report.isRightAlready else {
      try StandardOutput.write("The matrix in use is already right: there is nothing to change.\n")
      return
    }
    try StandardOutput.write(target.proposal(matrix: report.matrix, notes: report.notes))
    try conclude(target, matrix: report.matrix)
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
  private func conclude(_ target: HwdbTarget, matrix: MountMatrix) throws {
    guard target.match != nil else { return }
    let isWritten = isToWrite || (target.isWritable && confirms("Write them?"))
    if isWritten {
      try target.write(matrix)
      try StandardOutput.write("Written.\n")
    }
    if apply {
      try target.apply(matrix)
      try StandardOutput.write("udev has it now. \(HwdbTarget.whenItTakesEffect)\n")
    } else {
      try StandardOutput.write(
        """
        \(isWritten ? "Then run" : "After you have written them, run"):

            \(target.commandLine)

        \(HwdbTarget.whenItTakesEffect)

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
