// SPDX-License-Identifier: Apache-2.0

// This folder: what several commands share. Options (--user, --config, --json), the errors of the daemon and the bus as
// messages for people, and the texts for the screen's state and for axes.

import ArgumentParser
import DaemonClient
import Following
import SensorSetup
import Systemd

/// `--user`, for the commands that call the daemon.
struct BusOptions: ParsableArguments {
  @Flag(name: .customLong("user"), help: "Use the session bus, where orientationd --user serves.")
  var isUser = false

  /// The bus.
  var bus: Bus.Address { isUser ? .session : .system }

  /// Connects to the bus and waits for its answer.
  ///
  /// - Throws: ``CommandError`` if there is no such bus.
  func connect() throws(CommandError) -> Bus { try bus.connectForCommand() }
}

/// `--seconds`, for the commands that run until they are ended.
struct DurationOptions: ParsableArguments {
  // Unconditional: a number that begins with a minus sign is then refused as a number, and not taken for an option.
  @Option(parsing: .unconditional, help: ArgumentHelp("Exit after this many seconds.", valueName: "n"))
  var seconds: Double?

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds.isFinite) {
      throw ValidationError("--seconds takes a number above 0, not \(shortDecimal(seconds)).")
    }
  }
}

/// `--config`, for the commands that use the daemon's settings.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp("Read the settings only from this file.", valueName: "file"),
    completion: .file(extensions: ["conf"]))
  var path: String?

  /// Reads the file that `--config` names; nil without that option.
  ///
  /// - Throws: ``CommandError`` if it cannot be read. A wrong line is reported and ignored, as the daemon does it.
  func load() throws(CommandError) -> Configuration? {
    guard let path else { return nil }
    do throws(ConfigurationProblem) {
      let (configuration, problems) = try Configuration.load(path: path)
      Self.report(problems)
      return configuration
    } catch {
      throw CommandError("configuration \(error.printable)")
    }
  }

  /// Reads the file that `--config` names, or the system's configuration without that option.
  ///
  /// - Throws: ``CommandError`` if that file cannot be read.
  func loadElseSystem() throws(CommandError) -> Configuration {
    if let configuration = try load() { return configuration }
    let (configuration, problems) = Configuration.loadSystem()
    Self.report(problems)
    return configuration
  }

  private static func report(_ problems: [ConfigurationProblem]) {
    for problem in problems { Report.note("\(problem)") }
  }
}

/// `--json`, for the commands whose output a program may read.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON, for programs.")
  var isJSON = false
}
