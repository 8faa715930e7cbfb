// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The built orientationd.
enum Daemon {
  static let busName = "org.orientationd1"
  static let objectPath = "/org/orientationd1"
  static let deviceInterface = "org.orientationd1.Device"
  static let screenInterface = "org.orientationd1.Screen"

  /// Its path.
  static let path = "\(BuiltPrograms.folder)/orientationd"

  /// Starts it without waiting for anything.
  ///
  /// - Parameters:
  ///   - arguments: its command line.
  ///   - bus: what is the system bus to it; nil leaves it without one.
  ///   - environment: added to its environment.
  /// - Returns: the running daemon.
  /// - Throws: what keeps it from being started.
  static func start(
    _ arguments: [String], bus: PrivateBus? = nil, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let busEnvironment = bus?.environment ?? ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
    return try ChildProcess(
      path, arguments, environment: busEnvironment.merging(environment) { _, new in new })
  }
}
