// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// The standard error, for messages that are not part of the result.
package enum Report {
  /// Writes a message as one line, which a terminal has in lines of its width.
  package static func note(_ text: String) { write("\(broken("orientationctl: \(text.printable)"))\n") }

  /// Writes why the program ends, as other commands of orientationctl do.
  package static func error(_ text: String) { write("\(broken("Error: \(text.printableLines)"))\n") }

  /// A text in lines of the terminal's width; the same where the standard error is none.
  package static func broken(_ text: String) -> String {
    terminalSize(of: STDERR_FILENO).map { text.brokenProse(at: $0.columns) } ?? text
  }

  /// Writes a printable text.
  package static func write(_ text: String) {
    // Messages that nobody reads must not stop the program: a pipe gets as many pages as it has free.
    var rest = Array(text.utf8)[...]
    var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    while !rest.isEmpty, poll(&output, 1, 100) > 0 {
      let page = rest.prefix(4096)
      // If this fails, there is no other place for messages.
      guard page.withUnsafeBytes({ writeAll(STDERR_FILENO, $0.baseAddress, $0.count) }) else { return }
      rest = rest.dropFirst(page.count)
    }
  }
}
