// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import SensorSetup

/// `orientationctl sensors`: the devices there are, and which one the daemon uses.
struct SensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "List the IIO devices, and say which one the daemon would use and how.",
    discussion: """
      Looks through the devices as the daemon does, with the configuration that the daemon reads: which \
      accelerometer is used and why, how it is mounted and who says so, and what it can deliver. The daemon is not \
      asked, and no sensor is powered.

      "Screen axes" says which axis of the chip, by the mount matrix and the daemon's AxisConvention and FaceAxis, \
      points to the right edge of the screen, to its top, and out of it, by the panel's own upright. The natural \
      orientation says how the device is held then.
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
