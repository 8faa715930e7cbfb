// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// Where the program's messages go: the journal, or the terminal if a person has started the program.
///
/// Any thread may use it; it holds nothing open. Messages and fields may contain text from outside: it is made printable here.
package struct Journal: Sendable {
  /// How much a message matters: syslog's levels, of which a lower number matters more.
  package enum Priority: Int32, Sendable {
    /// Something failed.
    case error = 3
    /// Something is wrong, and the program can go on.
    case warning = 4
    /// Normal, but significant.
    case notice = 5
    /// Normal.
    case info = 6
    /// For finding a fault.
    case debug = 7
  }

  /// Where messages go.
  package enum Destination: Equatable, Sendable {
    /// To journald, with all fields.
    case journal
    /// To standard error, one line for each message, without the fields.
    case standardError
  }

  /// The `SYSLOG_IDENTIFIER`, and the prefix of each line on standard error.
  package let identifier: String
  /// Where messages go.
  package let destination: Destination

  /// Chooses where messages go.
  ///
  /// - Parameters:
  ///   - identifier: The program's name.
  ///   - destination: Nil means the journal if standard error is connected to it (`JOURNAL_STREAM`), else standard error.
  package init(identifier: String, destination: Destination? = nil) {
    self.identifier = identifier
    self.destination = destination ?? (standardErrorIsJournal() ? .journal : .standardError)
  }

  /// Writes a message.
  ///
  /// - Parameters:
  ///   - priority: How much it matters.
  ///   - message: A text for people, without a line break at the end.
  ///   - id: The `MESSAGE_ID` of this kind of message: 32 hexadecimal digits.
  ///   - fields: More fields. A name consists of A to Z, 0 to 9 and _, and begins with a letter.
  package func log(
    _ priority: Priority, _ message: String, id: String? = nil, fields: KeyValuePairs<String, String> = [:]
  ) {
    guard destination == .journal else { return writeLine(message) }
    send(entry(priority, message, id: id, fields: fields))
  }

  /// The fields of a message as journald takes them, one line each.
  func entry(
    _ priority: Priority, _ message: String, id: String?, fields: KeyValuePairs<String, String>
  ) -> [String] {
    var entry = [
      "MESSAGE=\(message.printable)", "PRIORITY=\(priority.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)",
    ]
    if let id { entry.append("MESSAGE_ID=\(id)") }
    for field in fields { entry.append("\(field.key)=\(field.value.printable)") }
    return entry
  }

  /// Sends an entry to journald.
  ///
  /// An entry that journald does not accept is lost: there is no other place to report it.
  private func send(_ entry: [String]) {
    withVectors(of: entry) { _ = sd_journal_sendv($0.baseAddress, CInt($0.count)) }
  }

  /// The line for standard error: at most what a pipe accepts in one piece.
  func line(_ message: String) -> [UInt8] {
    Array("\(identifier): \(message.printable)".utf8.prefix(Int(PIPE_BUF) - 1)) + [UInt8(ascii: "\n")]
  }

  private func writeLine(_ message: String) {
    let line = line(message)
    var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    // A pipe that is ready accepts PIPE_BUF bytes without blocking.
    guard poll(&standardError, 1, 100) > 0 else { return }
    _ = write(STDERR_FILENO, line, line.count)
  }
}

/// Passes texts to `body` as vectors of bytes, which are valid while it runs.
///
/// Each vector is as long as its copy. strdup would not do: a copy would end at a zero byte in the text, and the vector would reach
/// into the heap behind it.
func withVectors(of texts: [String], _ body: (UnsafeBufferPointer<iovec>) -> Void) {
  let vectors = texts.map { text in
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
    copy.copyBytes(from: text.utf8)
    return iovec(iov_base: copy.baseAddress, iov_len: copy.count)
  }
  defer { for vector in vectors { vector.iov_base?.deallocate() } }
  vectors.withUnsafeBufferPointer(body)
}

/// Whether standard error is the stream that the service manager connected to the journal.
private func standardErrorIsJournal() -> Bool {
  guard let announced = getenv("JOURNAL_STREAM") else { return false }
  var status = stat()
  guard fstat(STDERR_FILENO, &status) == 0 else { return false }
  return strcmp(announced, "\(status.st_dev):\(status.st_ino)") == 0
}
