// SPDX-License-Identifier: Apache-2.0

import Glibc
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

  /// Reads what has been written.
  func look() {
    rest += terminal.read()
    // A character may be there in part only.
    var count = rest.count
    while count > 0, count > rest.count - 4, String(validating: rest.prefix(count), as: UTF8.self) == nil {
      count -= 1
    }
    screen.write(String(decoding: rest.prefix(count), as: UTF8.self))
    rest.removeFirst(count)
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
  func resize(columns: UInt16, rows: UInt16) {
    look()
    screen.resize(columns: Int(columns), rows: Int(rows))
    terminal.resize(columns: columns, rows: rows)
    program.send(SIGWINCH)
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
