// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import SensorSetup

/// `orientationctl record`: the sensor's samples in a file, for a bug report or a test.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record what the sensor says.",
    discussion: """
      Samples the sensor that the daemon would use, by the daemon's own code and with the daemon's configuration, and \
      writes a recording that "orientationctl classify" and "orientationd --sensor replay:FILE" take: a line for each \
      sample with the time in seconds (t_s), the acceleration in the screen's axes in m/s^2 (ax, ay, az), and what the \
      driver counted (raw_x, raw_y, raw_z). The lines above them, which start with "#", name the sensor, its driver, \
      scale and mount matrix, the machine's model and the kernel: what a bug report needs. Nothing in them names the \
      person or the piece of hardware.

      While the daemon runs the sensor it holds the sensor's buffer; the sensor is polled then, as far as its driver \
      allows that. It is polled, too, as by the daemon, without the permission to use the buffer or if the buffer fails.

      Ends after --seconds, on Ctrl-C or on SIGTERM.
      """)

  @OptionGroup var settings: ConfigurationOptions

  @Option(
    help: ArgumentHelp(
      "Record this sensor, in place of Sensor= of the configuration: a name, label or path, ip:HOST, or simulated.",
      valueName: "sensor"), completion: .sensors(or: ["simulated"]))
  var sensor: String?

  @Option(help: ArgumentHelp("End after this many seconds.", valueName: "n"))
  var seconds: Double?

  @Flag(help: "Write over a file that exists.")
  var force = false

  @Argument(
    help: ArgumentHelp("Where to write; - is the standard output.", valueName: "file"),
    completion: .file())
  var file: String

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds.isFinite) {
      throw ValidationError("--seconds takes a number above 0, not \(seconds).")
    }
    if let sensor, SensorRequest(parsing: sensor) == nil {
      throw ValidationError("--sensor takes a name, label or path, ip:HOST, or simulated, not '\(sensor)'.")
    }
  }

  func run() throws {
    var configuration = try settings.loadElseSystem()
    if let request = sensor.flatMap(SensorRequest.init(parsing:)) { configuration.sensor = request }
    if !force { try RecordingFile.refuseToOverwrite(file) }
    let subject = try RecordedSensor(for: configuration)
    var recorder = try SensorRecorder(
      file: try RecordingFile(file, overwriting: force), subject: subject, rate: configuration.sampleRate,
      seconds: seconds)
    try recorder.run()
  }
}
