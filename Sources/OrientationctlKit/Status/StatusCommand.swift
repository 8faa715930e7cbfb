// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Orientation
import Systemd

/// `orientationctl status`: the present state of the daemon.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show whether the daemon runs, its sensor, which way up the tablet is held, and how its screen is rotated.",
    discussion: """
      If the daemon does not run and the bus can start it, this command starts it. While there are no subscribers, \
      the sensor is off; the daemon then runs it for a moment to find the orientation, unless the rotation lock holds one.

      With --json, the command prints one object. If the daemon does not run and cannot be started, the object has \
      "running": false, and the exit status is 1.
      """)

  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let status: DaemonStatus
    do throws(CommandError) {
      status = try DaemonStatus(on: try bus.connect(), options: bus)
    } catch {
      if output.isJSON { try StandardOutput.write(notRunning(error).text + "\n") }
      throw error
    }
    if output.isJSON {
      try StandardOutput.write(status.json.text + "\n")
    } else {
      try StandardOutput.write(status.table)
    }
  }

  private func notRunning(_ error: CommandError) -> JSON {
    .object([
      .init("running", .bool(false)), .init("bus", .string(bus.name)),
      .init("reason", .string(error.description)),
    ])
  }
}
