// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Glibc
import IIO
import SensorSetup

/// `orientationctl record`: writes the sensor's samples to a file, for a bug report or a test.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the readings of the sensor.",
    discussion: """
      The command samples the sensor that the daemon would use, with the daemon's code and configuration. It writes a \
      recording that "orientationctl classify" and "orientationd --sensor replay:FILE" accept. Each line is a sample: \
      the time in seconds (t_s), the acceleration in the screen's axes in m/s^2 (ax, ay, az), and the raw values of the \
      driver (raw_x, raw_y, raw_z). The lines before the samples start with "#". They name what a bug report needs: the \
      sensor, its driver, scale and mount matrix, the model of the machine, and the kernel. They contain no serial number.

      While the daemon runs the sensor, it uses the sensor's buffer. The command then polls the sensor, if the driver \
      allows that. It also polls the sensor if it has no permission to use the buffer, or if the buffer fails.

      The command exits after --seconds, on Ctrl-C or on SIGTERM.
      """)

  @OptionGroup var settings: ConfigurationOptions

  @Option(
    help: ArgumentHelp(
      "Record this sensor, instead of Sensor= of the configuration: an id, name, label or path, ip:HOST, iio:URI, or simulated.",
      valueName: "sensor"), completion: .sensors(or: ["simulated"]))
  var sensor: String?

  @OptionGroup var duration: DurationOptions

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @Argument(
    help: ArgumentHelp("Where to write; - is the standard output.", valueName: "file"),
    completion: .file())
  var file: String

  func validate() throws {
    if let sensor, SensorRequest(parsing: sensor) == nil {
      throw ValidationError(
        "--sensor takes an id, name, label or path, ip:HOST, iio:URI, or simulated, not '\(sensor)'.")
    }
  }

  func run() throws {
    var configuration = try settings.loadElseSystem()
    if let request = sensor.flatMap(SensorRequest.init(parsing:)) { configuration.sensor = request }
    if !force { try RecordingFile.refuseToOverwrite(file) }
    let subject = try RecordedSensor(for: configuration)
    var recorder = try SensorRecorder(
      file: try RecordingFile(file, overwriting: force), subject: subject, rate: configuration.sampleRate,
      seconds: duration.seconds)
    if duration.seconds == nil, isatty(STDERR_FILENO) != 0 {
      Report.note("recording; turn the device now; Ctrl-C ends the recording")
    }
    try recorder.run()
  }
}
