// SPDX-License-Identifier: Apache-2.0

// This folder: `motion` prints what the daemon's motion socket sends (MotionRun), and draws it (MotionPlot).

import ArgumentParser
import Following
import Orientation
import OrientationClient

/// `orientationctl motion`: a line for each sample of a motion sensor.
struct MotionCommand: ParsableCommand {
  /// The sensors, with their names on the command line.
  enum Sensor: String, CaseIterable, ExpressibleByArgument {
    case accelerometer, gyroscope, gravity

    /// The sensor of the motion socket.
    var streamed: MotionSensor {
      switch self {
      case .accelerometer: .accelerometer
      case .gyroscope: .gyroscope
      case .gravity: .gravity
      }
    }
  }

  /// Where the daemon listens.
  static let daemonSocket = "/run/orientationd/motion"

  static let configuration = CommandConfiguration(
    commandName: "motion",
    abstract: "Print the readings of a motion sensor.",
    discussion: """
      The command connects to the daemon's motion socket, as games do. It prints a line for each sample: the local time, \
      and x, y and z. The axes are those of the screen in the device's portrait orientation: x to its right edge, y to its \
      top, z out of it. The accelerometer and gravity, which is the accelerometer through a low-pass filter, are in m/s^2; \
      a tablet that is held upright has y = 9.8. The gyroscope is in rad/s; a positive rate is a turn counterclockwise, \
      seen from the end of the axis.

      With --json, each line is an object with "sensor", "time" (RFC 3339), "boottime_ns" (CLOCK_BOOTTIME, nanoseconds), \
      "lost" (the samples that were lost before this one), and "acceleration_m_s2", "gravity_m_s2" or \
      "rotation_rate_rad_s" (x, y and z).

      With --plot, the command also draws the samples when it exits; of more than an hour at 200 Hz, at least the last hour.

      Programs of the active local session may read motion, and root. If the daemon does not run or exits, the command \
      waits for it. Messages about the daemon and the sensor go to the standard error.

      The command exits on Ctrl-C, on SIGTERM, when the program that reads its output exits, or after --seconds. The exit \
      status is 1 if reading motion is not allowed, or if there was no sample during --seconds.
      """)

  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The wanted time between two samples, 5 to 10000.", valueName: "milliseconds"))
  var every = 100.0

  @OptionGroup var duration: DurationOptions

  @Option(
    help: ArgumentHelp("Also draw a picture (SVG) of the samples.", valueName: "file.svg"),
    completion: .file(extensions: ["svg"]))
  var plot: String?

  @Option(
    help: ArgumentHelp("Connect to this socket instead of the daemon's.", valueName: "path"),
    completion: .file())
  var socket = Self.daemonSocket

  @Argument(help: ArgumentHelp("The sensor.", valueName: "sensor"))
  var sensor = Sensor.accelerometer

  var interval: MotionInterval { MotionInterval(nearestTo: .milliseconds(every)) }

  func validate() throws {
    if !(5...10_000 ~= every) {
      throw ValidationError("--every takes 5 to 10000 milliseconds, not \(shortDecimal(every)).")
    }
    if socket.isEmpty { throw ValidationError("--socket takes a path, not an empty word.") }
    // A plot replaces the file.
    if let plot, !plot.hasSuffix(".svg") {
      throw ValidationError("--plot takes the name of a picture that ends in .svg, not '\(plot)'.")
    }
  }

  func run() throws {
    if let plot { try checkReplaceable(plot) }
    let run = try MotionRun(self)
    try run.run()
    if let plot { try draw(run, in: plot) }
    if let failure = run.failure { throw failure }
  }

  /// Draws what was read; without a sample, an older picture stays.
  private func draw(_ run: MotionRun, in file: String) throws {
    guard !run.kept.samples.isEmpty else {
      if run.failure == nil { Report.note("there was no sample; no picture was written") }
      return
    }
    try replaceFile(file, with: MotionPlot(run.kept.samples, of: sensor).picture.text)
    Report.note("the picture is in \(file)")
  }
}
