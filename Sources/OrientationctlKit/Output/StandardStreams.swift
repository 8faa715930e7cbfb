// SPDX-License-Identifier: Apache-2.0

// This folder: how the tool answers, as text or as JSON, to a terminal, a pipe or a file. What others say does nothing
// to a terminal, and does not begin a line.

import Glibc
import Systemd

/// Why output could not be written.
enum OutputError: Error, Equatable, CustomStringConvertible {
  /// Whoever read it has closed the pipe.
  case closed
  /// The system says no, with this errno.
  case failed(CInt)

  /// One sentence for a person.
  var description: String {
    switch self {
    case .closed: "the output has been closed"
    case .failed(let code): "the output cannot be written: \(String(cString: strerror(code)))"
    }
  }
}

/// Where answers go.
///
/// Nothing is kept back: a pipe sees each text at once.
enum StandardOutput {
  /// Writes a text of our own lines, in which whatever else could do something to a terminal is shown instead.
  ///
  /// A name within it that comes from outside must not begin a line: ``FieldTable`` sees to that, or `printable`.
  static func write(_ text: String) throws(OutputError) {
    try OrientationctlKit.write(text.printableLines, to: STDOUT_FILENO)
  }
}

/// Where notes go that are no part of the answer.
enum StandardError {
  /// Tells a person something, on a line of its own, whatever names are in it.
  static func tell(_ note: String) {
    // Nobody is left to tell if this fails.
    try? write("orientationctl: \(note.printable)\n", to: STDERR_FILENO)
  }
}

/// Writes a whole text to a descriptor.
func write(_ text: String, to descriptor: CInt) throws(OutputError) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { throw errno == EPIPE ? .closed : .failed(errno) }
    rest = rest.dropFirst(count)
  }
}
