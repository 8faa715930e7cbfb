// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The colour on a terminal of a text that says what is wrong.
enum Highlight {
  /// Whether a descriptor is a terminal that shows colours, and its user wants them.
  ///
  /// Users who want none set `NO_COLOR` to anything but an empty text (https://no-color.org). A terminal whose kind is `dumb` or
  /// not known may show the codes instead.
  static func isWanted(on descriptor: CInt) -> Bool {
    guard isatty(descriptor) == 1, value(of: "NO_COLOR").isEmpty else { return false }
    return !["", "dumb"].contains(value(of: "TERM"))
  }

  /// A text in bold red (ECMA-48, SGR 1 and 31).
  ///
  /// - Parameter text: it must be printable.
  /// - Returns: the text with the codes around it.
  static func text(_ text: String) -> String { "\u{1b}[1;31m\(text)\u{1b}[0m" }

  private static func value(of variable: String) -> String {
    getenv(variable).map { String(cString: $0) } ?? ""
  }
}
