// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import Orientation
import SensorSetup

/// `orientationctl classify`: the daemon's own pipeline over a recording.
struct ClassifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify",
    abstract: "Show what the daemon would have said to a recording.",
    discussion: """
      Runs the daemon's own filter and classifier over a recording and prints a line "t_s,state" for each change, \
      the first state included, in the recording's own time: "12.340,landscapeLeft".

      A recording is a CSV file whose first line names its columns. t_s is in seconds; ax, ay and az are in \
      m/s^2, x to the right edge of the screen, y to its top, z out of it, and a tablet held upright reads \
      ay = +9.81. Further columns are ignored, and so are lines that start with "#". Where \
      time goes back, that is told on the standard error, and the filter starts anew. "orientationctl record" makes \
      such files.

      The settings are the daemon's defaults, whatever this machine's configuration says, so that results can be \
      compared; --config takes others.
      """)

  @OptionGroup var settings: ConfigurationOptions

  @Flag(help: "Take every sample, not only those that the daemon would see at its SampleRate.")
  var every = false

  @Option(
    help: ArgumentHelp(
      """
      Take only what the daemon would have seen of a sensor that rests while the tablet lies still: polled, \
      on-change (a hub that reports changes only) or always (it does not rest).
      """, valueName: "sensor"))
  var pace = RestSimulation.Sensor.always

  @Argument(
    help: ArgumentHelp("The recording; - is the standard input.", valueName: "trace.csv"),
    completion: .file(extensions: ["csv"]))
  var trace: String

  func run() throws {
    let configuration = try settings.load() ?? Configuration()
    guard !trace.hasSuffix(".gz") else {
      throw CommandError("\(trace) is compressed; try: zcat \(trace) | orientationctl classify -")
    }
    let recording = try Recording(contentsOf: trace == "-" ? "/dev/stdin" : trace, backwardTime: .taken)
    for line in recording.backwardLines {
      StandardError.tell("\(trace):\(line): time goes back; the filter starts anew there")
    }
    let entries = every ? recording.entries : recording.entries(atRate: configuration.sampleRate)
    var pipeline = RestSimulation(
      OrientationPipeline(transform: .identity, settings: configuration.pipeline), sensor: pace,
      rate: every ? recording.meanRate : configuration.sampleRate)
    try StandardOutput.write(Self.changes(in: entries, by: &pipeline))
    if pace != .always { StandardError.tell("\(pipeline.wakeUps) wake-ups for \(entries.count) samples") }
  }

  /// The lines for the changes that the pipeline decides on.
  static func changes(in entries: [Recording.Entry], by pipeline: inout RestSimulation) -> String {
    var lines = ""
    for entry in entries {
      // The identity transform makes the chip's axes those of the screen, in which recordings are.
      let acceleration = Acceleration<SensorFrame>(
        x: entry.acceleration.x, y: entry.acceleration.y, z: entry.acceleration.z)
      let time = BootTime(nanoseconds: Int64((entry.seconds * 1e9).rounded()))
      guard let change = pipeline.process(Sample(time: time, acceleration: acceleration)) else { continue }
      lines += "\(decimal(entry.seconds, places: 3)),\(change.orientation.name)\n"
    }
    return lines
  }
}

extension RestSimulation.Sensor: ExpressibleByArgument {}
