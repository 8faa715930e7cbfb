// SPDX-License-Identifier: Apache-2.0

import Following
import Orientation
import SensorSetup

/// What is the same in both calibrations, that by the daemon and that for udev: the poses, and what is said before and after them.
struct CalibrationRun {
  /// The daemon's configuration.
  let settings: Configuration
  /// Whether the poses are asked for in lines, also in a terminal.
  let asksInLines: Bool
  /// How long each pose must be held still, in seconds.
  let secondsStill: Double
  /// The natural orientation of the panel.
  let natural: DetectedNaturalOrientation

  init(settings: Configuration, asksInLines: Bool, secondsStill: Double) {
    self.settings = settings
    self.asksInLines = asksInLines
    self.secondsStill = secondsStill
    natural = DetectedNaturalOrientation(by: settings.naturalOrientation)
  }

  /// Has the poses taken, and shows what was found.
  ///
  /// - Parameters:
  ///   - sensor: what is calibrated, for people.
  ///   - inUse: its present mount matrix, for people.
  ///   - source: what measures the poses.
  ///   - sign: the sign of its readings.
  ///   - scale: by how much its readings are longer than the sensor's.
  ///   - check: called after each pose; throws if the readings do not have the axes any more that they had before.
  ///   - result: what the poses show.
  /// - Returns: the result; nil if there is nothing to change.
  /// - Throws: ``CommandError``, `SourceError`, or ``OutputError``.
  func find(
    _ sensor: String, mountedBy inUse: String, readBy source: any PoseSource, sign: SignConvention,
    scale: Double, checkedBy check: @escaping () throws -> Void = {},
    result: (Calibration) throws -> CalibrationResult
  ) throws -> CalibrationResult? {
    try StandardOutput.write("Calibrating \(sensor).\nIts mount matrix: \(inUse).\n\n".brokenProse())
    var session = PoseSession(
      source, expectedSign: sign, natural: natural, secondsStill: secondsStill, check: check,
      screen: asksInLines ? nil : CalibrationScreen(natural: natural.orientation))
    let result = try result(try session.run())
    var table = FieldTable(indentation: "  ")
    table.add("Mount matrix", "\(result.matrix)")
    table.add("In use", inUse)
    table.add("Screen axes", result.screenAxes?.text)
    try StandardOutput.write("Found:\n\(table.text())\n")
    let lengths = session.lengths.map { $0 / scale }
    if let finding = lengthFinding(lengths, scaleFactor: settings.scaleFactor) {
      try StandardOutput.write("\(finding)\n\n")
    }
    guard result.isRightAlready else { return result }
    try StandardOutput.write(([result.whenRight] + result.notes).joined(separator: "\n\n") + "\n")
    return nil
  }
}
