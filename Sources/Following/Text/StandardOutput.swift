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
///
/// While nobody reads a pipe, no event loop runs that could handle a signal: it has its default effect then, and ends the program. A
/// program with a handler of its own, which has run, has nobody who reads.
package func write(_ text: String, to descriptor: CInt) throws(OutputError) {
  var text = text
  let isWritten = text.withUTF8 { bytes in
    stride(from: 0, to: bytes.count, by: Int(PIPE_BUF)).allSatisfy { start in
      guard hasRoom(descriptor) else { return false }
      let part = bytes[start..<min(start + Int(PIPE_BUF), bytes.count)]
      return writeAll(descriptor, UnsafeBufferPointer(rebasing: part).baseAddress, part.count)
    }
  }
  guard !isWritten else { return }
  // A peer that closes a socket with something unread in it resets the connection.
  throw [EPIPE, ECONNRESET, EINTR].contains(errno) ? .closed : .failed(errno)
}

/// Waits until a descriptor takes `PIPE_BUF` bytes, or has failed; false if a handler of a signal has run before.
private func hasRoom(_ descriptor: CInt) -> Bool {
  var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  var none = sigset_t()
  sigemptyset(&none)
  return ppoll(&output, 1, nil, &none) >= 0 || errno != EINTR
}
