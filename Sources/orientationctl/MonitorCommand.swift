// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `orientationctl monitor`: a line for each change, as an app would hear of it.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print each change of the orientation as it comes.",
    discussion: """
      Asks the daemon for notifications, like an app, so that the sensor runs meanwhile. Prints the present \
      orientation once it is known, and then a line for each change: local time and name.

      With --json, each line is an object: "time" (RFC 3339), "boottime_us" (CLOCK_BOOTTIME, microseconds), \
      "orientation" (the number) and "name". In the first line, and where the daemon goes away, which makes the \
      orientation unknown, the times are those of the line itself.

      A daemon that is not there is waited for, and so is one that goes away. What becomes of daemon and sensor \
      is told on the standard error.

      Ends with status 0 on Ctrl-C, on SIGTERM, when its output is closed, after --count lines, or after \
      --seconds; with status 1 if --seconds pass before --count lines have been printed.
      """)

  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

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
    let printer = ChangePrinter(isJSON: output.isJSON, limit: count)
    try Monitor(options: bus, printer: printer, seconds: seconds).run()
  }
}
