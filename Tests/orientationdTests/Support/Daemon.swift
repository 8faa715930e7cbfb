// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The built orientationd.
enum Daemon {
  static let busName = "org.orientationd1"
  static let objectPath = "/org/orientationd1"
  static let deviceInterface = "org.orientationd1.Device"
  static let screenInterface = "org.orientationd1.Screen"

  /// Its path: next to the tests' own program.
  static let path = folder.appendingPathComponent("orientationd").path

  /// The path of orientationctl.
  static let toolPath = folder.appendingPathComponent("orientationctl").path

  private static let folder =
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

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
    let address = bus?.address ?? "unix:path=/nonexistent/bus"
    return try ChildProcess(
      path, arguments,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": address].merging(environment) { _, new in new })
  }
}
