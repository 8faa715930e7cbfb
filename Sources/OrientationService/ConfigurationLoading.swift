// SPDX-License-Identifier: Apache-2.0

package import SensorSetup

extension Configuration {
  /// Reads what the command line names, else the system's configuration; `--sensor` goes before `Sensor=`.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - log: is given every line that is ignored.
  /// - Returns: the configuration.
  /// - Throws: ``ServiceError/configuration(_:)`` when a file that was named cannot be read.
  package static func load(for options: Options, log: ServiceLog) throws(ServiceError) -> Configuration {
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

  /// Reads it again for a service that runs.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - running: what holds so far, and goes on where what is read is wrong.
  /// - Returns: the configuration, and what is wrong.
  static func reload(
    for options: Options, keeping running: Configuration
  ) -> (Configuration, [ConfigurationProblem]) {
    let (paths, unreadable) = options.configurationPath.map { ([$0], []) } ?? systemPaths(root: "")
    var (configuration, problems) = reload(paths, unreadable: unreadable, keeping: running)
    if let sensor = options.sensor { configuration.sensor = sensor }
    return (configuration, problems)
  }
}
