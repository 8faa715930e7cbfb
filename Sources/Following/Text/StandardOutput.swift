// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// Why output could not be written.
package enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has closed the pipe or the socket.
  case closed
  /// The write failed with this errno.
  case failed(CInt)

  /// One sentence for a person.
  package var description: String {
    switch self {
    case .closed: "the output has been closed"
    case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
    }
  }
}

/// The standard output, for results.
///
/// It has no buffer: the reader of a pipe receives each text at once.
package enum StandardOutput {
  /// Writes a text, with all control characters but line feeds escaped.
  ///
  /// So the caller must escape line feeds in names from outside, by `printable` or `FieldTable`.
  package static func write(_ text: String) throws(OutputError) {
    try Following.write(text.printableLines, to: STDOUT_FILENO)
  }
}

/// Writes a whole text to a descriptor.
package func write(_ text: String, to descriptor: CInt) throws(OutputError) {
  guard !writeAll(descriptor, text, text.utf8.count) else { return }
  // A peer that closes a socket with something unread in it resets the connection.
  throw errno == EPIPE || errno == ECONNRESET ? .closed : .failed(errno)
}
