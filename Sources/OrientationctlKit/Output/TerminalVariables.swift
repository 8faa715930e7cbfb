// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the environment says of a terminal.
struct TerminalVariables {
  /// The variables of this process.
  static var environment: TerminalVariables {
    TerminalVariables { name in getenv(name).map { String(cString: $0) } }
  }

  /// The value of a variable; nil if it is not set.
  let value: (String) -> String?

  /// The kind of the terminal; empty if it is not known.
  var type: String { value("TERM") ?? "" }

  /// Whether the terminal is more than a printer, which shows codes as text.
  var canMoveCursor: Bool { !["", "dumb", "unknown"].contains(type) }

  /// Whether the terminal has colours, and its user wants them.
  ///
  /// Users who want none set `NO_COLOR` to anything but an empty text (https://no-color.org).
  var hasColours: Bool {
    guard canMoveCursor, (value("NO_COLOR") ?? "").isEmpty else { return false }
    return !type.hasPrefix("vt1") && !type.hasPrefix("vt2") && !type.hasSuffix("-m")
      && !type.hasSuffix("-mono")
  }
}

/// The colour on a terminal of a text that says what is wrong.
enum Highlight {
  /// Whether a descriptor is a terminal that shows colours, and its user wants them.
  static func isWanted(on descriptor: CInt) -> Bool {
    isatty(descriptor) == 1 && TerminalVariables.environment.hasColours
  }

  /// A text in bold red (ECMA-48, SGR 1 and 31).
  ///
  /// - Parameter text: it must be printable.
  /// - Returns: the text with the codes around it.
  static func text(_ text: String) -> String { "\u{1b}[1;31m\(text)\u{1b}[0m" }
}
