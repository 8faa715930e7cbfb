// SPDX-License-Identifier: Apache-2.0

// Where the configuration lies, by the rules of systemd's own daemons, so that
// `systemd-analyze cat-config orientationd.conf` shows what holds: the main file is the first that exists in /etc, /run,
// /usr/local/lib and /usr/lib; then the drop-ins of all four orientationd.conf.d folders, ordered by file name, one
// in a folder further ahead hiding those of the same name behind it.

import CLinux
import IIO

extension Configuration {
  /// Reads what the command line names, else the system's configuration; `--sensor` goes before `Sensor=`.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - log: hears of every line that is passed over.
  /// - Returns: the configuration.
  /// - Throws: ``ServiceError/configuration(_:)`` when a file that was named cannot be read.
  public static func load(for options: Options, log: ServiceLog) throws(ServiceError) -> Configuration {
    var (configuration, problems) =
      try options.configurationPath.map { path throws(ServiceError) in
        try ServiceError.wrapping(ServiceError.configuration) { () throws(ConfigurationProblem) in
          try load(path: path)
        }
      } ?? loadSystem()
    for problem in problems { log.problem(problem) }
    if let sensor = options.sensor { configuration.sensor = sensor }
    return configuration
  }

  private static let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib"]
  private static let fileName = "orientationd.conf"

  /// Reads the system's configuration: the main file and the drop-ins.
  ///
  /// - Parameter root: the folder that stands for "/".
  /// - Returns: the configuration, and whatever was passed over in it.
  public static func loadSystem(root: String = "") -> (Configuration, [ConfigurationProblem]) {
    let main = folders.map { "\(root)\($0)/\(fileName)" }.first { exists($0) }
    var configuration = Configuration()
    var problems: [ConfigurationProblem] = []
    for path in (main.map { [$0] } ?? []) + dropIns(root: root) {
      do throws(ConfigurationProblem) {
        problems += configuration.apply(try IniFile(path: path), path: path)
      } catch {
        problems.append(error)
      }
    }
    return (configuration, problems)
  }

  /// Reads one file alone, as `--config` asks for.
  ///
  /// - Throws: ``ConfigurationProblem`` when the file cannot be read.
  public static func load(path: String) throws(ConfigurationProblem) -> (
    Configuration, [ConfigurationProblem]
  ) {
    var configuration = Configuration()
    let problems = configuration.apply(try IniFile(path: path), path: path)
    return (configuration, problems)
  }

  private static func dropIns(root: String) -> [String] {
    var pathByName: [String: String] = [:]
    for folder in folders {
      let folder = "\(root)\(folder)/\(fileName).d"
      for name in namesOfFiles(in: folder) where name.hasSuffix(".conf") && pathByName[name] == nil {
        pathByName[name] = "\(folder)/\(name)"
      }
    }
    return pathByName.sorted { $0.key < $1.key }.map { $0.value }
  }

  private static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }
}
