// SPDX-License-Identifier: Apache-2.0

// The journal in its native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): one datagram an entry. This
// speaks it itself as sd_journal_sendv blocks for as long as journald does not read; here a message that
// cannot be had off in a moment is dropped. A socket an entry, as entries are rare and journald may restart.

import Glibc

/// Where the program's messages go: the journal, or the terminal of who runs it by hand.
///
/// Any thread may use it; it holds nothing open.
public struct Journal: Sendable {
  /// How much a message matters: syslog's levels, of which a lower number matters more.
  public enum Priority: Int32, Sendable {
    /// The program cannot go on.
    case critical = 2
    /// Something failed.
    case error = 3
    /// Something is wrong, and the program copes.
    case warning = 4
    /// Normal, and worth to be noted.
    case notice = 5
    /// Normal.
    case info = 6
    /// For who looks for a fault.
    case debug = 7
  }

  /// Where messages go.
  public enum Destination: Equatable, Sendable {
    /// To journald, with all fields.
    case journal(socketPath: String)
    /// To standard error, a line a message, without the fields.
    case standardError
  }

  /// The `SYSLOG_IDENTIFIER`, and what stands before each line on standard error.
  public let identifier: String
  /// Where messages go.
  public let destination: Destination

  /// Writes to the journal if that is where standard error leads (`JOURNAL_STREAM`), else to standard error.
  ///
  /// - Parameter identifier: The program's name.
  public init(identifier: String) {
    let journal = Destination.journal(socketPath: "/run/systemd/journal/socket")
    self.init(identifier: identifier, destination: standardErrorIsJournal() ? journal : .standardError)
  }

  /// Writes to the destination given.
  ///
  /// - Parameters:
  ///   - identifier: The program's name.
  ///   - destination: Where messages go.
  public init(identifier: String, destination: Destination) {
    self.identifier = identifier
    self.destination = destination
  }

  /// Writes a message.
  ///
  /// It takes 0.1 s at most; what cannot be written by then is dropped.
  ///
  /// - Parameters:
  ///   - priority: How much it matters.
  ///   - message: The words for a person, without a line break at the end.
  ///   - id: The `MESSAGE_ID` of this kind of message: 32 hexadecimal digits.
  ///   - fields: More fields. Names are of A to Z, 0 to 9 and _, and begin with a letter.
  public func log(
    _ priority: Priority, _ message: String, id: String? = nil, fields: KeyValuePairs<String, String> = [:]
  ) {
    guard case .journal(let socketPath) = destination else { return writeLine(message) }
    var entry = JournalEntry()
    entry.append("MESSAGE", message)
    entry.append("PRIORITY", "\(priority.rawValue)")
    entry.append("SYSLOG_IDENTIFIER", identifier)
    if let id { entry.append("MESSAGE_ID", id) }
    for field in fields { entry.append(field.key, field.value) }
    entry.send(to: socketPath)
  }

  private func writeLine(_ message: String) {
    var line = Array("\(identifier): \(message)".utf8.prefix(Int(PIPE_BUF) - 1))
    line.append(UInt8(ascii: "\n"))
    var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    // A pipe that is ready takes PIPE_BUF bytes without blocking.
    guard poll(&standardError, 1, 100) > 0 else { return }
    _ = write(STDERR_FILENO, line, line.count)
  }
}

/// Whether standard error is the stream that the service manager connected to the journal.
private func standardErrorIsJournal() -> Bool {
  guard let announced = getenv("JOURNAL_STREAM") else { return false }
  var status = stat()
  guard fstat(STDERR_FILENO, &status) == 0 else { return false }
  return strcmp(announced, "\(status.st_dev):\(status.st_ino)") == 0
}
