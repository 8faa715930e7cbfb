// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Text for people, in lines that a terminal need not break.
package enum Prose {
  /// The width of what is not written for a certain terminal, in characters: that of most terminals at their start.
  package static let width = 80
}

extension String {
  /// Its words in lines of at most this width; a longer word has a line of its own.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(whereSeparator: { $0.isWhitespace }) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The same text with its longer lines broken between words.
  ///
  /// Lines that are indented stay whole: they are commands, and lines of files, which people copy.
  package func brokenProse(at width: Int = Prose.width) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.count <= width || line.hasPrefix(" ")
        ? String(line) : String(line).wrapped(to: width).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}

/// The size of a terminal in cells; nil if the descriptor is none, or it does not say.
package func terminalSize(of descriptor: CInt) -> (columns: Int, rows: Int)? {
  var size = winsize()
  guard readTerminalSize(descriptor, &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
  return (Int(size.ws_col), Int(size.ws_row))
}
