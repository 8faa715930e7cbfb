// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program of `examples/` that prints lines.
enum Example: String, CaseIterable {
  case c = "c/orientation.c"
  case python = "python/orientation.py"
  case interface = "python/interface.py"
  case gjs = "gjs/orientation.js"
  case qt = "qt/orientation.py"
  case shellInC = "c/shell.c"
  case shellInPython = "python/shell.py"
  case holdInC = "c/hold.c"
  case holdInPython = "python/hold.py"

  /// Those that print lines such as `portrait, rotation unlocked`.
  static let orientations: [Example] = [.c, .python, .gjs, .qt]
  /// Those that print lines such as `set transform 90, landscapeLeft`.
  static let shells: [Example] = [.shellInC, .shellInPython]
  /// Those that print lines such as `hold 1`.
  static let holds: [Example] = [.holdInC, .holdInPython]

  /// What it prints first with a tablet that is upright, and whose screen nothing else turns.
  var firstLine: String {
    switch self {
    case .c, .python, .gjs, .qt: "portrait, rotation unlocked"
    case .interface: "unknown: nothing turns the screen as the daemon says"
    case .shellInC, .shellInPython: "set transform normal, portrait"
    case .holdInC, .holdInPython: "hold 1"
    }
  }

  var path: String { projectFolder.appending(path: "examples/\(rawValue)").path }

  /// The lines of its source that are neither empty nor only a comment.
  func lines() throws -> [String] {
    let comment = rawValue.hasSuffix(".py") ? #/^\s*(?:#|""".*"""$)/# : #/^(?:\s*//|#!)/#
    return try projectFile("examples/\(rawValue)").split(separator: "\n").map(String.init).filter {
      !$0.allSatisfy(\.isWhitespace) && $0.firstMatch(of: comment) == nil
    }
  }
}

/// Hears whether somebody calls a method.
final class CallMonitor {
  private let process: ChildProcess
  private let member: String

  /// Whether somebody has called it.
  var isCalled: Bool { process.output.contains("Member=\(member)") }

  /// Listens to a bus.
  init(of member: String, on bus: PrivateBus) throws {
    self.member = member
    process = try ChildProcess(
      "busctl", ["--address=\(bus.address)", "--match=member='\(member)'", "monitor"])
    try wait(for: "busctl") { process.errors.contains("Monitoring") || !process.isRunning }
  }
}

/// An example that runs.
final class RunningExample {
  let process: ChildProcess
  private let example: Example
  private let folder: TemporaryFolder

  /// Starts it, after a program in C has been compiled as its source says.
  ///
  /// - Parameters:
  ///   - example: which.
  ///   - address: what is the system bus to it.
  /// - Throws: ``GaveUp`` if it cannot be compiled.
  init(_ example: Example, at address: String) throws {
    self.example = example
    folder = try TemporaryFolder()
    let program = example.rawValue.hasSuffix(".c") ? try Self.compile(example, in: folder) : example.path
    process = try ChildProcess(program, environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
  }

  private static func compile(_ example: Example, in folder: TemporaryFolder) throws -> String {
    let source = try projectFile("examples/\(example.rawValue)")
    let name = String(example.rawValue.dropFirst("c/".count).dropLast(".c".count))
    try folder.write(source, to: "\(name).c")
    guard let match = source.firstMatch(of: /\/\/ cc (-Wall -o (\w+) (\w+)\.c .*)\n/),
      match.2 == name, match.3 == name
    else {
      throw GaveUp(description: "\(example.rawValue) does not say how to compile it")
    }
    let compiler = try ChildProcess(
      "sh", ["-c", "cd '\(folder.path)' && cc -Wextra -Wno-unused-parameter -Werror \(match.1)"])
    guard try compiler.exitCode() == 0 else { throw GaveUp(description: compiler.errors) }
    return "\(folder.path)/\(name)"
  }

  /// Waits until the last line that it has printed is this.
  func wait(for line: String) throws {
    do {
      try TestSupport.wait(for: line) { process.lines.last == line || !process.isRunning }
      guard process.lines.last == line else { throw GaveUp(description: "it has ended before: \(line)") }
    } catch {
      throw GaveUp(
        description: "\(example.rawValue): \(error); printed: \(process.lines); errors: \(process.errors)")
    }
  }
}
