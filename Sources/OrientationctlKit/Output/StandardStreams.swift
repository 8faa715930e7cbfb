// SPDX-License-Identifier: Apache-2.0

// This folder: how the tool writes text or JSON to a terminal, a pipe or a file. In text from other programs and from
// drivers, control characters and line breaks are escaped, so it cannot control a terminal or begin a line.

import Glibc
import Systemd

/// Why output could not be written.
enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has closed the pipe or the socket.
  case closed
  /// The write failed with this errno.
  case failed(CInt)

  /// One sentence for a person.
  var description: String {
    switch self {
    case .closed: "the output has been closed"
    case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
    }
  }
}

/// The standard output, for results.
///
/// It has no buffer: the reader of a pipe receives each text at once.
enum StandardOutput {
  /// Writes a text, with all control characters but line feeds escaped.
  ///
  /// So the caller must escape line feeds in names from outside, by `printable` or ``FieldTable``.
  static func write(_ text: String) throws(OutputError) {
    try OrientationctlKit.write(text.printableLines, to: STDOUT_FILENO)
  }

  /// Writes a table, on a terminal with what is wrong in its colour.
  static func write(_ table: FieldTable) throws(OutputError) {
    let text = table.text(isHighlighting: Highlight.isWanted(on: STDOUT_FILENO))
    try OrientationctlKit.write(text, to: STDOUT_FILENO)
  }
}

/// The standard error, for messages that are not part of the result.
enum StandardError {
  /// Writes why the program fails, on a terminal with the first word, `Error:`, in its colour.
  ///
  /// - Parameter message: any text; all control characters but line feeds are escaped.
  static func fail(_ message: String) {
    var text = message.printableLines
    let label = "Error:"
    if text.hasPrefix(label), Highlight.isWanted(on: STDERR_FILENO) {
      text = Highlight.text(label) + text.dropFirst(label.count)
    }
    try? write("\(text)\n", to: STDERR_FILENO)
  }

  /// Writes a message as one line; line breaks in it are escaped.
  static func note(_ note: String) {
    // If this fails, there is no other place for messages.
    try? write("orientationctl: \(note.printable)\n", to: STDERR_FILENO)
  }
}

/// Writes a whole text to a descriptor.
func write(_ text: String, to descriptor: CInt) throws(OutputError) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    // A peer that closes a socket with something unread in it resets the connection.
    guard count >= 0 else { throw errno == EPIPE || errno == ECONNRESET ? .closed : .failed(errno) }
    rest = rest.dropFirst(count)
  }
}

extension CustomStringConvertible {
  /// The description on one line, with control characters and line breaks escaped: names from outside may be in it.
  var printable: String { description.printable }
}
