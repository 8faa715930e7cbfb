// SPDX-License-Identifier: Apache-2.0

import Glibc

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
