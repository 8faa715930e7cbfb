// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Orientation
import SensorSetup

/// Asks a person for the poses, and measures them.
///
/// It writes to the standard output, and takes each line of the standard input for "now": a person's Enter, or a
/// script's line.
struct PoseSession: ~Copyable {
  private var poses: PoseReadings
  private var source: PolledSource
  private let neverSignalled: WakeUpEvent
  private let natural: DetectedNaturalOrientation
  private let secondsStill: Double

  /// How long to wait for a second of stillness, in seconds.
  private static let patience = 10.0
  /// But for at least so many samples: a slow hub takes seconds for one.
  private static let leastSamples = 5
  /// After so many refusals, something other than the poses is wrong.
  private static let mostRefusals = 12

  /// Opens a sensor of this machine.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - natural: which edges of the panel are the long ones.
  ///   - rate: how often to read it, in hertz; the daemon's rate leaves the sensor's own as the daemon sets it.
  ///   - secondsStill: how long each pose must be held still.
  /// - Throws: `SourceError`
  init(
    _ sensor: SensorDescription, natural: DetectedNaturalOrientation, rate: Double, secondsStill: Double
  ) throws(SourceError) {
    let neverSignalled = try WakeUpEvent()
    let source = try PolledSource(sensor, rate: rate)
    self.neverSignalled = neverSignalled
    self.source = source
    self.natural = natural
    self.secondsStill = secondsStill
    poses = PoseReadings(expectedSign: sensor.sign)
  }

  /// Takes all poses, each as often as it needs.
  ///
  /// - Returns: how the sensor is mounted.
  /// - Throws: ``CommandError`` where the input ends or nothing helps; `SourceError`, `OutputError`.
  mutating func run() throws -> Calibration {
    try StandardOutput.write("\(CalibrationPose.whichEdges(natural))\n")
    var refusals = 0
    while true {
      if let calibration = poses.calibration { return calibration }
      let pose = poses.next
      try ask(for: pose)
      guard let problem = try take(pose) else {
        try tell("Taken.")
        continue
      }
      try tell(problem.description)
      refusals += 1
      guard refusals < Self.mostRefusals else {
        throw CommandError(
          """
          \(refusals) poses were refused. Perhaps this is not the sensor of the screen (orientationctl sensors lists \
          the sensors, --sensor selects another), or its readings do not follow the poses.
          """)
      }
    }
  }

  /// Says what to do, and waits until the person says that it is done.
  private func ask(for pose: CalibrationPose) throws {
    try StandardOutput.write("\(pose.request)\nThen press Enter, and keep it still for a second.\n")
    // What was typed before the question is no answer to it.
    if isatty(STDIN_FILENO) != 0 { tcflush(STDIN_FILENO, TCIFLUSH) }
    guard readLine() != nil else { throw CommandError("the input ended before all poses were taken") }
  }

  /// Measures a pose; returns why it, or another one, has to be taken again.
  private mutating func take(_ pose: CalibrationPose) throws -> PoseProblem? {
    guard let reading = try stillReading() else { return .unsteady(pose) }
    do throws(PoseProblem) {
      try poses.take(reading, as: pose)
      return nil
    } catch {
      return error
    }
  }

  /// Reads the sensor until it was still for long enough; nil where it never was.
  private mutating func stillReading() throws(SourceError) -> Acceleration<SensorFrame>? {
    let deadline = BootTime.now.advanced(bySeconds: Self.patience)
    var stillness = Stillness(lasting: secondsStill)
    var count = 0
    while BootTime.now < deadline || count < Self.leastSamples {
      guard let sample = try source.next(interruptedBy: neverSignalled) else { break }
      count += 1
      if let reading = stillness.add(sample) { return reading }
    }
    return nil
  }

  private func tell(_ text: String) throws(OutputError) {
    let lines = text.split(separator: "\n").map { "  \($0)\n" }.joined()
    try StandardOutput.write("\(lines)\n")
  }
}
