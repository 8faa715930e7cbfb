// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The program that saves and loads states in a process of its own; without a parent it is killed.
///
/// It says what it does in a pipe: it limits how long its files may be, which a `ChildProcess` has for its output.
final class StateHelper {
  private let process = Process()
  private let pipe = Pipe()

  /// Starts it.
  ///
  /// - Parameters:
  ///   - command: what it is to do.
  ///   - folder: where.
  ///   - isPrivileged: false takes from root what lets it read and write everything.
  /// - Throws: what keeps it from being started.
  init(_ command: String, in folder: String, isPrivileged: Bool = true) throws {
    let path = "\(BuiltPrograms.folder)/state-test-helper"
    let drop = getuid() == 0 ? ["--bounding-set=-dac_override,-dac_read_search"] : []
    process.executableURL = URL(fileURLWithPath: isPrivileged ? path : "/usr/bin/env")
    process.arguments = (isPrivileged ? [] : ["setpriv"] + drop + [path]) + [command, folder]
    process.standardOutput = pipe
    try process.run()
  }

  /// Reads a part of what it prints, waiting for it; empty at the end.
  func read() -> String { String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }

  /// Reads all that it prints until it ends, line by line.
  func lines() throws -> [String] {
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }

  /// Kills it, and waits for its end.
  func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
