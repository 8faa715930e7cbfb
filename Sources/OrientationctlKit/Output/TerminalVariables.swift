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
