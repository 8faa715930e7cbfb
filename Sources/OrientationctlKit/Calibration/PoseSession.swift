// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import IIO
import Orientation
import SensorSetup

/// Asks a user for the poses, and measures them.
///
/// It writes to the standard output. A line of the standard input, Enter or that of a script, confirms a pose.
struct PoseSession: ~Copyable {
  private var poses: PoseReadings
  private let source: any PoseSource
  private let natural: DetectedNaturalOrientation
  private let secondsStill: Double
  private let check: () throws -> Void
  /// The picture; nil if the poses are asked for in lines.
  private let screen: CalibrationScreen?

  /// How long to wait for a second of stillness, in seconds.
  private static let patience = 10.0
  /// How long to wait for a reading of a pose, in seconds: a daemon that restarts, and a hub that starts, take two.
  private static let patienceForReading = 5.0
  /// The samples to wait for in any case: a slow hub takes seconds for one.
  private static let leastSamples = 5
  /// The number of refused poses after which the session ends: the poses are not the problem.
  private static let mostRefusals = 12

  /// How long gravity was in the readings of the poses, in units of standard gravity.
  var lengths: [Double] { Array(poses.lengths.values) }

  /// Prepares to ask for the poses.
  ///
  /// - Parameters:
  ///   - source: what measures them.
  ///   - expectedSign: the sign of its readings.
  ///   - natural: the natural orientation of the panel, for the requests.
  ///   - secondsStill: how long each pose must be held still.
  ///   - check: called after each pose.
  ///   - screen: the picture; nil if the poses are asked for in lines.
  init(
    _ source: any PoseSource, expectedSign: SignConvention, natural: DetectedNaturalOrientation,
    secondsStill: Double, check: @escaping () throws -> Void, screen: CalibrationScreen?
  ) {
    self.source = source
    self.natural = natural
    self.secondsStill = secondsStill
    self.check = check
    self.screen = screen
    poses = PoseReadings(expectedSign: expectedSign)
  }

  /// Measures all poses, and repeats each as often as necessary.
  ///
  /// - Returns: how the sensor is mounted.
  /// - Throws: ``CommandError`` if the input ends or too many poses are refused; `SourceError`, `OutputError`.
  mutating func run() throws -> Calibration {
    try StandardOutput.write("\(CalibrationPose.whichEdges(natural))\n")
    try begin()
    defer { screen?.end() }
    var refusals = 0
    while true {
      if let calibration = poses.calibration { return calibration }
      let pose = poses.next
      try ask(for: pose)
      let problem = try take(pose)
      try check()
      guard let problem else {
        try printResult("Taken.")
        continue
      }
      try printResult(problem.description)
      refusals += 1
      guard refusals < Self.mostRefusals else {
        throw CommandError(
          """
          \(refusals) poses were refused. Perhaps this is not the sensor of the screen (orientationctl sensors lists \
          the sensors), or its readings do not follow the poses.
          """)
      }
    }
  }

  /// Begins the picture, after the user has read what comes before it.
  private func begin() throws {
    guard let screen else { return }
    try StandardOutput.write("Press Enter to begin.\n")
    try Self.readConfirmation()
    try screen.begin()
  }

  /// Waits for Enter, or a line of a script.
  private static func readConfirmation() throws(CommandError) {
    guard let line = readLine() else { throw endOfInput }
    if line.split(separator: " ").map({ $0.lowercased() }) == ["q"] { throw ended }
  }

  /// Asks for a pose, and waits for the confirmation.
  private mutating func ask(for pose: CalibrationPose) throws {
    if let screen { return try ask(for: pose, on: screen) }
    // What was typed before the question confirms nothing; what is typed once it can be read counts.
    if isatty(STDIN_FILENO) != 0 { tcflush(STDIN_FILENO, TCIFLUSH) }
    try StandardOutput.write("\(pose.request)\nThen press Enter, and keep it still for a second.\n")
    try Self.readConfirmation()
  }

  /// The same in a picture, which shows the readings meanwhile.
  private mutating func ask(for pose: CalibrationPose, on screen: CalibrationScreen) throws {
    (screen.picture.pose, screen.picture.isToHold) = (pose, false)
    // What was typed before the question confirms nothing.
    if screen.pressedKeys().contains(.quit) { throw Self.ended }
    var stillness = Stillness(lasting: secondsStill)
    while true {
      try screen.draw()
      let keys = screen.pressedKeys()
      if keys.contains(.quit) { throw Self.ended }
      if keys.contains(.enter) {
        (screen.picture.isToHold, screen.picture.result) = (true, "")
        return
      }
      let sample = try source.next()
      if let sample { _ = stillness.add(sample) }
      show(sample, stillness)
    }
  }

  /// Shows a reading in the picture, or why there is none.
  private func show(_ sample: Sample<SensorFrame>?, _ stillness: Stillness) {
    guard let screen else { return }
    screen.picture.obstacle = source.obstacle
    guard let sample else { return }
    screen.picture.deviation = poses.deviation(of: sample.acceleration, from: screen.picture.pose)
    screen.picture.stillness = stillness.share
  }

  private static let ended = CommandError("ended before all poses were taken; nothing was changed")
  private static let endOfInput = CommandError("the input ended before all poses were taken")

  /// Measures a pose; returns why it or another one must be repeated, if so.
  private mutating func take(_ pose: CalibrationPose) throws -> PoseProblem? {
    guard let reading = try stillReading() else {
      return .unsteady(pose, seconds: Int(secondsStill.rounded(.up)))
    }
    do throws(PoseProblem) {
      try poses.take(reading, as: pose)
      return nil
    } catch {
      return error
    }
  }

  /// Reads the sensor until it was still for long enough; nil if it never was.
  private mutating func stillReading() throws -> Acceleration<SensorFrame>? {
    let start = BootTime.now
    let deadline = start.advanced(bySeconds: Self.patience)
    var (stillness, count, last) = (Stillness(lasting: secondsStill), 0, start)
    while BootTime.now < deadline || count < Self.leastSamples {
      let sample = try source.next()
      // What has waited since the last pose is not of this one.
      if let sample, sample.time.seconds(since: start) >= 0 {
        (count, last) = (count + 1, .now)
        if let reading = stillness.add(sample) { return reading }
      }
      guard BootTime.now.seconds(since: last) < Self.patienceForReading || sample != nil else {
        throw CommandError("\(source.obstacle ?? "there is no reading"); nothing was changed")
      }
      show(sample, stillness)
      try screen?.draw()
      if screen?.pressedKeys().contains(.quit) == true { throw Self.ended }
    }
    return nil
  }

  private func printResult(_ text: String) throws(OutputError) {
    if let screen { return screen.picture.result = text }
    let lines = text.wrapped(to: Prose.width - 2).map { "  \($0)\n" }.joined()
    try StandardOutput.write("\(lines)\n")
  }
}
