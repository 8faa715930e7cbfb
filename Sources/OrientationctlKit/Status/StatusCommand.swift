// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation
import Systemd

/// `orientationctl status`: what the daemon says at present.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show whether the daemon runs, its sensor, which way up the tablet is, and how its screen is rotated.",
    discussion: """
      Starts the daemon if it does not run and the bus can start it. While nobody asks for notifications the sensor \
      is off; it is then run for a moment to find the orientation.

      With --json, one object is printed; it has "running": false where the daemon neither runs nor can be started, \
      and the exit status is 1.
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
    try StandardOutput.write(output.isJSON ? status.json.text + "\n" : status.text)
  }

  private func notRunning(_ error: CommandError) -> JSON {
    .object([
      .init("running", .bool(false)), .init("bus", .string(bus.name)),
      .init("reason", .string(error.description)),
    ])
  }
}
