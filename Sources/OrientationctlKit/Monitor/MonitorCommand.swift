// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `orientationctl monitor`: a line for each change, as an app would hear of it.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print each change of the device's orientation and of the screen as it comes.",
    discussion: """
      Asks the daemon for notifications, like an app, so that the sensor runs meanwhile and the interface follows the \
      device. Prints the present state, of the device once it is known, and then a line for each change: local time, \
      and "device landscapeLeft", "interface landscapeRight, transform 270", "rotation locked" or "unlocked", \
      "supported" with names, or "tablet mode". Of the present state, what is as it is by default (not locked, all \
      supported) is left out.

      With --json, each line is an object: "event", "time" (RFC 3339), "boottime_us" (CLOCK_BOOTTIME, microseconds), \
      and by the event: "orientation" (the number) and "name" for "orientation", which is the device's; \
      "interface_orientation", "interface_orientation_name" and "transform" for "interface_orientation"; \
      "rotation_locked" for "rotation_lock"; "supported_interface_orientations"; "tablet_mode". The times of a change \
      of the device's orientation are those of the sample that decided it, also where that was held back by the lock; \
      of all else, of the present state, and where the daemon goes away, which makes the device's orientation \
      unknown, they are those of the line itself.

      A daemon that is not there is waited for, and so is one that goes away. What becomes of daemon and sensor \
      is told on the standard error.

      Ends with status 0 on Ctrl-C, on SIGTERM, when its output is closed, after --count lines, or after \
      --seconds; with status 1 if --seconds pass before --count lines have been printed, or without a daemon.
      """)

  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  @Flag
  var only: MonitorFilter?

  @Option(help: ArgumentHelp("End after this many lines.", valueName: "n"))
  var count: Int?

  @Option(help: ArgumentHelp("End after this many seconds.", valueName: "n"))
  var seconds: Double?

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1 on, not \(count).") }
    if let seconds, !(seconds > 0 && seconds.isFinite) {
      throw ValidationError("--seconds takes a number above 0, not \(seconds).")
    }
  }

  func run() throws {
    let printer = ChangePrinter(isJSON: output.isJSON, limit: count, only: only)
    try Monitor(options: bus, printer: printer, seconds: seconds).run()
  }
}
