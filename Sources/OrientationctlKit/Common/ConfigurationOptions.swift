// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SensorSetup

/// `--config`, for the commands that work with the daemon's settings.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp("Read the settings only from this file.", valueName: "file"),
    completion: .file(extensions: ["conf"]))
  var path: String?

  /// Reads the file that was named; nil without one.
  ///
  /// - Throws: ``CommandError`` when it cannot be read. A line that is wrong is told and passed over, as by the daemon.
  func load() throws(CommandError) -> Configuration? {
    guard let path else { return nil }
    do throws(ConfigurationProblem) {
      let (configuration, problems) = try Configuration.load(path: path)
      Self.tell(problems)
      return configuration
    } catch {
      throw CommandError("configuration \(error.printable)")
    }
  }

  /// Reads the file that was named, else the system's configuration.
  ///
  /// - Throws: ``CommandError`` when a file that was named cannot be read.
  func loadElseSystem() throws(CommandError) -> Configuration {
    if let configuration = try load() { return configuration }
    let (configuration, problems) = Configuration.loadSystem()
    Self.tell(problems)
    return configuration
  }

  private static func tell(_ problems: [ConfigurationProblem]) {
    for problem in problems { StandardError.tell("\(problem)") }
  }
}
