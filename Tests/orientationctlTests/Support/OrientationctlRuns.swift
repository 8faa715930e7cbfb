// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// Runs orientationctl to its end.
func orientationctl(
  _ arguments: String..., environment: [String: String] = [:], input: ChildProcess.Input = .nothing
) throws -> ChildProcess {
  let program = try ChildProcess(
    "orientationctl", arguments, environment: environment, input: input)
  try program.exitCode()
  return program
}

extension PrivateBus {
  /// Runs orientationctl on this bus to its end.
  func orientationctl(_ arguments: String...) throws -> ChildProcess {
    let program = try start("orientationctl", arguments)
    try program.exitCode()
    return program
  }

  /// Starts orientationd and waits until it serves.
  ///
  /// Neither this machine's configuration matters nor its panel.
  func startDaemon(sensor: String, _ options: [String] = []) throws -> ChildProcess {
    let configuration = try folder.write("NaturalOrientation=portrait\n", to: "daemon.conf")
    // One of its own, unless the test keeps it over a restart.
    var path = Array("\(folder.path)/state-XXXXXX".utf8CString)
    mkdtemp(&path)
    let state =
      options.contains("--state")
      ? [] : ["--state", String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)]
    let daemon = try start("orientationd", ["--config", configuration, "--sensor", sensor] + state + options)
    try wait(for: "orientationd") {
      try orientationctl("status", "--json").output.contains("\"running\":true")
    }
    return daemon
  }
}

extension ChildProcess {
  /// What it has written to standard error, but for the warning that nothing turns the screen: in most tests, nothing does.
  var complaints: String {
    errors.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("orientationctl: nothing turns the screen") }.joined(separator: "\n")
  }
}
