// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A run of `orientationctl monitor --picture` in a terminal, and who looks at it.
final class PictureRun {
  let program: ChildProcess
  let terminal: PseudoTerminal
  private(set) var screen: VirtualScreen
  private var rest: [UInt8] = []

  /// Starts it.
  ///
  /// - Parameters:
  ///   - words: the command line.
  ///   - environment: besides TERM and the locale.
  ///   - columns: of the terminal.
  ///   - rows: of the terminal.
  /// - Throws: what keeps it from being started.
  init(
    _ words: [String], environment: [String: String], columns: UInt16 = 80, rows: UInt16 = 24
  ) throws {
    terminal = try PseudoTerminal(columns: columns, rows: rows)
    screen = VirtualScreen(columns: Int(columns), rows: Int(rows))
    let usual = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]
    // No core file of a program that a test kills.
    program = try terminal.start(
      "sh", ["-c", "ulimit -c 0; exec \"$@\"", "sh"] + words,
      environment: usual.merging(environment) { $1 })
  }

  /// Reads what has been written; returns whether there was anything.
  @discardableResult
  func look() -> Bool {
    let new = terminal.read()
    rest += new
    // A character may be there in part only.
    var count = rest.count
    while count > 0, count > rest.count - 4, String(validating: rest.prefix(count), as: UTF8.self) == nil {
      count -= 1
    }
    screen.write(String(decoding: rest.prefix(count), as: UTF8.self))
    rest.removeFirst(count)
    return !new.isEmpty
  }

  /// Waits until the terminal shows something.
  func wait(for what: String, until holds: (VirtualScreen) -> Bool) throws {
    do {
      try TestSupport.wait(for: what, pause: {}) {
        let isRunning = program.isRunning
        look()
        if !screen.isSynchronizing && holds(screen) { return true }
        guard isRunning else { throw GaveUp(description: "ended before: \(what)") }
        return false
      }
    } catch let error as GaveUp {
      throw GaveUp(description: "\(error.description) in\n\(screen.text)\(program.errors)")
    }
  }

  /// Waits for a text.
  func wait(for text: String) throws { try wait(for: text) { $0.text.contains(text) } }

  /// Gives the terminal another size.
  ///
  /// Before that, the program must have drawn all for the size that it knows: this could not be told from what it draws afterwards.
  func resize(columns: UInt16, rows: UInt16) throws {
    try TestSupport.wait(for: "the program to be idle") {
      let wasIdle = isIdle
      return !look() && wasIdle
    }
    screen.resize(columns: Int(columns), rows: Int(rows))
    terminal.resize(columns: columns, rows: rows)
    program.send(SIGWINCH)
  }

  /// Whether the program sleeps, and has no signal to handle.
  private var isIdle: Bool {
    let status = (try? String(contentsOfFile: "/proc/\(program.id)/status", encoding: .utf8)) ?? ""
    func value(_ name: String) -> Substring {
      status.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count + 1) ?? ""
    }
    let pending = ["SigPnd", "ShdPnd"].map { value($0).trimmingCharacters(in: .whitespaces) }
    return value("State").contains("S") && pending.allSatisfy { UInt64($0, radix: 16) == 0 }
  }

  /// Waits for the end, and reads what was written before it.
  func exitCode() throws -> CInt {
    try TestSupport.wait(for: "the end in\n\(screen.text)") {
      // A terminal that nobody reads would keep the program from writing.
      look()
      return !program.isRunning
    }
    look()
    return try program.exitCode()
  }
}
