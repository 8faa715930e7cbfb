// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Monitoring
import Orientation
import SensorSetup

/// `orientationctl monitor`: a line for each change that an app would be notified of.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print each change of the device's orientation and of the screen as it happens.",
    discussion: """
      The command subscribes to notifications, like an app. So the sensor runs meanwhile, and the interface follows the \
      device. First it prints the present state; that of the device follows when it is known. Then it prints a line for \
      each change: the local time, and one of "device landscapeLeft", "interface landscapeRight (right edge up), \
      transform 270", "rotation locked", "rotation unlocked", "supported" with names, "tablet mode laptop", "tablet mode \
      tablet" or "tablet mode unknown". The present state is printed without the values that have their defaults (not \
      locked, all supported).

      With --json, each line is an object with "event", "time" (RFC 3339), "boottime_us" (CLOCK_BOOTTIME, \
      microseconds), and the members of the event. For "orientation", which is that of the device: "orientation" (the \
      number), "name" and "sample_boottime_us". For "interface_orientation": "interface_orientation" (the number), \
      "interface_orientation_name", "interface_orientation_is_decided" and "transform". For "rotation_lock": \
      "rotation_locked". For "supported_interface_orientations": a member of the same name. For "tablet_mode": \
      "tablet_mode" and "tablet_mode_source".

      Both times are those of the announcement, so they never go back. "sample_boottime_us" is the time of the sample \
      that decided a change of the device's orientation, also if the rotation lock has delayed the announcement. It is \
      null for the present state, and if the daemon has exited, which makes the device's orientation unknown.

      With --waybar, each line is an object for a custom module of waybar with "return-type": "json", which shows the \
      rotation lock: "text", "alt" ("locked", "unlocked", or "unavailable" while no daemon runs or answers), "class" \
      (that word, and the name of the interface's orientation), and "tooltip" (with the holds of apps). The first line \
      comes at once, if a daemon that runs answers, and then one for each change of these values. The command does not subscribe then: the sensor \
      does not run for a button, and the interface follows the device only if another program, such as the desktop, \
      has subscribed.

      With --picture, the command shows a moving picture of the tablet instead of lines: the device as it is held, what \
      its screen shows, the rotation lock, gravity in a spirit level with the angle to the nearest border between two \
      orientations, and the sensor. The key l locks or unlocks rotation, the arrows left and right rotate the interface \
      by hand by a quarter turn, and up or down by half a turn; q quits. This needs a terminal. NO_COLOR leaves out the \
      colours. Screen readers can follow the lines better.

      If the daemon does not run or exits, the command waits for it. Messages about the daemon and the sensor go to the \
      standard error.

      The command exits on Ctrl-C, on SIGTERM, when the program that reads its output through a pipe or a socket exits \
      or its terminal is closed (also if nothing changes), after --count lines, or after --seconds. The exit status is \
      1 if fewer lines than --count were printed during --seconds, or if no daemon ran or answered during that time; \
      otherwise it is 0.
      """)

  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  @Flag(name: .customLong("waybar"), help: "Print the rotation lock for a custom module of waybar.")
  var isForWaybar = false

  @Flag(name: .customLong("picture"), help: "Show a moving picture of the tablet, in a terminal.")
  var isPicture = false

  @Flag
  var only: MonitorFilter?

  // Unconditional for the sake of negative numbers, as in DurationOptions.
  @Option(parsing: .unconditional, help: ArgumentHelp("Exit after this many lines.", valueName: "n"))
  var count: Int?

  @OptionGroup var duration: DurationOptions

  func validate() throws {
    if isForWaybar, output.isJSON || only != nil {
      throw ValidationError(
        "--waybar has a format of its own, and shows the rotation lock: leave out --json, --device and --screen."
      )
    }
    if isPicture, isForWaybar || output.isJSON || only != nil || count != nil {
      throw ValidationError(
        "--picture shows no lines: leave out --json, --waybar, --device, --screen and --count.")
    }
    if let count, count < 1 { throw ValidationError("--count takes a number of at least 1, not \(count).") }
  }

  func run() throws {
    if isForWaybar {
      let request = WaybarRequest(isUserBus: bus.isUser, limit: count, seconds: duration.seconds)
      try ResidentProgram(name: "orientationctl-waybar", package: "orientationctl").become(request.words)
    }
    let printer = try printer()
    try Monitor(bus.bus, printer: printer, limit: count, seconds: duration.seconds).run()
  }

  private func printer() throws(CommandError) -> any MonitorPrinter {
    if isPicture {
      // The daemon reads the same files; it reports what is wrong in them.
      return try PicturePrinter(hysteresis: Configuration.loadSystem().0.pipeline.hysteresis)
    }
    return ChangePrinter(isJSON: output.isJSON, only: only)
  }
}

extension WaybarRequest {
  /// The arguments that have this meaning.
  ///
  /// Embedded Swift, in which they are read, cannot write the seconds.
  var words: [String] {
    (isUserBus ? ["--user"] : []) + (limit.map { ["--count", "\($0)"] } ?? [])
      + (seconds.map { ["--seconds", "\($0)"] } ?? [])
  }
}

/// The only half of the changes to print: those of the device, or those of the screen.
enum MonitorFilter: EnumerableFlag {
  case device
  case screen

  static func help(for half: MonitorFilter) -> ArgumentHelp? {
    switch half {
    case .device: "Print only the device's orientation."
    case .screen: "Print only the changes of the screen."
    }
  }
}
