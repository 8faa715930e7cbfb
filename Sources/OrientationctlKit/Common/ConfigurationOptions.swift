// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SensorSetup

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
    for problem in problems { StandardError.note("\(problem)") }
  }
}
