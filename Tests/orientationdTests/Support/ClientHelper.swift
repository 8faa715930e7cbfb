// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Clients of a bus in a process of their own: the program of `Tests/Support/ClientTestHelper`.
struct ClientHelper {
  private let process: ChildProcess

  /// Starts it.
  init(_ arguments: [String], on bus: PrivateBus) throws {
    process = try bus.start("client-test-helper", arguments)
  }

  var id: Int32 { process.id }

  var isRunning: Bool { process.isRunning }

  /// What it has said so far.
  var lines: [String] { process.lines }

  /// Waits for its end; returns what it has said.
  func finish() throws -> [String] {
    try process.exitCode()
    return lines
  }
}
