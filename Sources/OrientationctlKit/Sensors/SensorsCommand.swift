// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import IIO
import Orientation
import OrientationClient
import SensorSetup
import Systemd

/// `orientationctl sensors`: lists the devices, and shows which one the daemon uses.
struct SensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "List the IIO devices, and show which one the daemon would use and how.",
    discussion: """
      The command scans the devices as the daemon does, with the daemon's configuration. It shows which accelerometer \
      is used and why, how it is mounted and where this information comes from, and which sampling frequencies and \
      buffer it offers. It powers no sensor, and does not start the daemon; if the daemon runs, its warnings about the \
      sensor are shown too.

      "Screen axes" shows which axis of the chip points to the right edge of the screen, to its top, and out of it. They \
      result from the mount matrix and the daemon's AxisConvention= and FaceAxis=, and assume that the panel is upright. \
      The natural orientation is the orientation of the device in this position.
      """)

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let configuration = try settings.loadElseSystem()
    let catalog = try SensorCatalog(for: configuration, from: .kernelAndSensors)
    let report = SensorsReport(catalog: catalog, configuration: configuration, daemon: runningDaemon)
    try StandardOutput.write(output.isJSON ? report.json.text + "\n" : report.text)
  }

  /// What the daemon announces, if it runs and answers: the devices are shown without it, too.
  private var runningDaemon: DeviceSnapshot? {
    do {
      let bus = try self.bus.connect()
      guard try bus.owner(of: DBusNames.service) != nil else { return nil }
      return try DeviceSnapshot(
        from: try bus.call(.allProperties(of: DBusNames.deviceInterface), forSeconds: 1))
    } catch {
      return nil
    }
  }
}
