// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import SensorSetup

/// `orientationctl sensors`: lists the devices, and shows which one the daemon uses.
struct SensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "List the IIO devices, and show which one the daemon would use and how.",
    discussion: """
      The command scans the devices as the daemon does, with the daemon's configuration. It shows which accelerometer \
      is used and why, how it is mounted and where this information comes from, and which sampling frequencies and \
      buffer it offers. It does not contact the daemon, and it powers no sensor.

      "Screen axes" shows which axis of the chip points to the right edge of the screen, to its top, and out of it. They \
      result from the mount matrix and the daemon's AxisConvention= and FaceAxis=, and assume that the panel is upright. \
      The natural orientation is the orientation of the device in this position.
      """)

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let configuration = try settings.loadElseSystem()
    let catalog = try SensorCatalog(for: configuration, from: .kernelAndSensors)
    let report = SensorsReport(catalog: catalog, configuration: configuration)
    try StandardOutput.write(output.isJSON ? report.json.text + "\n" : report.text)
  }
}
