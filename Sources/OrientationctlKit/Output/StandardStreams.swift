// SPDX-License-Identifier: Apache-2.0

// This folder: how the tool writes text or JSON to a terminal, a pipe or a file. In text from other programs and from
// drivers, control characters and line breaks are escaped, so it cannot control a terminal or begin a line.

import Following
import Glibc
import Systemd

extension StandardOutput {
  /// Writes a table, on a terminal with what is wrong in its colour.
  static func write(_ table: FieldTable) throws(OutputError) {
    let text = table.text(isHighlighting: Highlight.isWanted(on: STDOUT_FILENO))
    try Following.write(text, to: STDOUT_FILENO)
  }
}

extension Report {
  /// Writes why the program fails, on a terminal in lines of its width, and with the first word, `Error:`, in its colour.
  ///
  /// - Parameter message: any text; all control characters but line feeds are escaped.
  static func fail(_ message: String) {
    var text = broken(message.printableLines)
    let label = "Error:"
    if text.hasPrefix(label), Highlight.isWanted(on: STDERR_FILENO) {
      text = Highlight.text(label) + text.dropFirst(label.count)
    }
    write("\(text)\n")
  }
}

extension CustomStringConvertible {
  /// The description on one line, with control characters and line breaks escaped: names from outside may be in it.
  var printable: String { description.printable }
}
