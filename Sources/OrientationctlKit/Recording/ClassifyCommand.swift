// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Glibc
import IIO
import Orientation
import SensorSetup

/// `orientationctl classify`: runs the daemon's own pipeline on a recording.
struct ClassifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify",
    abstract: "Show how the daemon would have classified a recording.",
    discussion: """
      The command runs the daemon's own filter and classifier on a recording. It prints a line "t_s,state" for the \
      first state and for each change, in the time of the recording, such as "12.340,landscapeLeft".

      A recording is a CSV file whose first line names its columns. t_s is in seconds. ax, ay and az are in m/s^2, x to \
      the right edge of the screen, y to its top, z out of it. A tablet that is held upright has ay = +9.81. Other \
      columns are ignored, and so are lines that start with "#". If time goes backwards, a message on the standard error \
      says so, and the filter is reset. "orientationctl record" makes such files.

      With --plot, the command also draws the recording and each change with the reason, for a bug report: the readings, \
      gravity, the angle past the nearest border, evidence, doubt and the reported orientation.

      The command uses the daemon's default settings and not the configuration of this machine, so that results can be \
      compared; --config uses other settings.
      """)

  @OptionGroup var settings: ConfigurationOptions

  @Flag(help: "Use every sample, not only those that the daemon would read at its SampleRate=.")
  var every = false

  @Option(
    help: ArgumentHelp(
      """
      Use only the samples that the daemon would read from a sensor of this kind while the tablet lies still: \
      polled, on-change (a hub that reports only changes) or always (always at the full rate).
      """, valueName: "sensor"))
  var pace = RestSimulation.Sensor.always

  @Option(
    help: ArgumentHelp(
      "Also draw a picture (SVG) of the recording and of the decisions.", valueName: "file.svg"),
    completion: .file(extensions: ["svg"]))
  var plot: String?

  @Argument(
    help: ArgumentHelp("The recording; - is the standard input.", valueName: "trace.csv"),
    completion: .file(extensions: ["csv"]))
  var trace: String

  func validate() throws {
    // A plot replaces the file: a mistake must not cost a recording.
    if let plot, !plot.hasSuffix(".svg") {
      throw ValidationError("--plot takes the name of a picture that ends in .svg, not '\(plot)'.")
    }
    if plot != nil, pace != .always {
      throw ValidationError("--plot shows all samples: leave out --pace.")
    }
  }

  func run() throws {
    let configuration = try settings.load() ?? Configuration()
    guard !trace.hasSuffix(".gz") else {
      throw CommandError("\(trace) is compressed; try: zcat \(trace) | orientationctl classify -")
    }
    if trace == "-", read(STDIN_FILENO, nil, 0) != 0, errno == EBADF {
      throw CommandError("the standard input is closed")
    }
    let recording = try Recording(contentsOf: trace == "-" ? "/dev/stdin" : trace, backwardTime: .taken)
    for line in recording.backwardLines {
      Report.note("\(trace):\(line): time goes backwards; the filter is reset")
    }
    let entries = every ? recording.entries : recording.entries(atRate: configuration.sampleRate)
    var pipeline = RestSimulation(
      OrientationPipeline(transform: .identity, settings: configuration.pipeline), sensor: pace,
      rate: every ? recording.meanRate : configuration.sampleRate)
    let changes = Self.changes(in: entries, by: &pipeline)
    try StandardOutput.write(changes)
    if changes.isEmpty {
      Report.note("\(trace) has no first state: too few samples, or none that shows gravity")
    }
    if let plot {
      let explained = ExplainedRecording(entries, settings: configuration.pipeline)
      try replaceFile(plot, with: RecordingPlot(explained, name: trace).picture.text)
      Report.note("the picture is in \(plot)")
    }
    if pace != .always { Report.note("\(pipeline.wakeUps) wake-ups for \(entries.count) samples") }
  }

  /// A line for each change that the pipeline reports.
  static func changes(in entries: [Recording.Entry], by pipeline: inout RestSimulation) -> String {
    var lines = ""
    for entry in entries {
      guard let change = pipeline.process(Sample(recorded: entry)) else { continue }
      lines += "\(decimal(entry.seconds, places: 3)),\(change.orientation.name)\n"
    }
    return lines
  }
}

extension Sample<SensorFrame> {
  /// Creates a sample from a recording.
  ///
  /// Recordings are in the screen's axes. With the identity transform, these are also the axes of the chip.
  init(recorded entry: Recording.Entry) {
    self.init(
      time: BootTime(nanoseconds: Int64((entry.seconds * 1e9).rounded())),
      acceleration: Acceleration(entry.acceleration.vector))
  }
}

extension RestSimulation.Sensor: ExpressibleByArgument {}
