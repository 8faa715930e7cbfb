// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Clients of a bus in a process of their own: the program of `Tests/ClientTestHelper`.
struct ClientHelper {
  private let process: ChildProcess

  /// Starts it.
  init(_ arguments: [String], on bus: PrivateBus) throws {
    let path = URL(fileURLWithPath: Daemon.path).deletingLastPathComponent()
      .appendingPathComponent("client-test-helper").path
    process = try ChildProcess(path, arguments, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
  }

  var id: Int32 { process.id }

  var isRunning: Bool { process.isRunning }

  /// What it has said so far.
  var lines: [String] { process.output.split(separator: "\n").map(String.init) }

  /// Waits for its end; returns what it has said.
  func finish() throws -> [String] {
    _ = try process.exitCode()
    return lines
  }
}
