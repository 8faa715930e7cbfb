// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// The standard error, for messages that are not part of the result.
package enum Report {
  /// Writes a message as one line.
  package static func note(_ text: String) { write("orientationctl: \(text.printable)\n") }

  /// Writes why the program ends, as other commands of orientationctl do.
  package static func error(_ text: String) { write("Error: \(text.printableLines)\n") }

  /// Writes a printable text.
  package static func write(_ text: String) {
    // Messages that nobody reads must not stop the program: a full pipe gets none, and one with a free page takes a page at once.
    var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&output, 1, 100) > 0 else { return }
    // If this fails, there is no other place for messages.
    var text = text
    text.withUTF8 { _ = CLinux.write(STDERR_FILENO, $0.baseAddress, min($0.count, 4096)) }
  }
}
