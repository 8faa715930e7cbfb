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
  ///   - motionSocket: passed to it as the service manager does.
  /// - Returns: the running daemon.
  /// - Throws: what keeps it from being started.
  static func start(
    _ arguments: [String], bus: PrivateBus? = nil, environment: [String: String] = [:],
    motionSocket: CInt? = nil
  ) throws -> ChildProcess {
    let busEnvironment = bus?.environment ?? ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus"]
    if let motionSocket {
      let passing = ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "orientationd-motion"]
      let given = busEnvironment.merging(environment) { _, new in new }.merging(passing) { _, new in new }
      // The process must know its own id, which it has only after its start.
      return try ChildProcess(
        "sh", ["-c", "export LISTEN_PID=$$; exec \"$0\" \"$@\"", path] + arguments, environment: given,
        passed: motionSocket)
    }
    return try ChildProcess(
      path, arguments, environment: busEnvironment.merging(environment) { _, new in new })
  }
}
