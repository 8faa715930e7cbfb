// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// What reads the standard output of a program; a test can close it while the program runs.
package final class OutputReader {
  /// What the output is.
  package enum Kind: CaseIterable {
    case pipe
    case socket
    case terminal
  }

  private let reading: CInt
  private var writing: CInt

  /// Opens both ends.
  ///
  /// - Parameter kind: what the output is.
  /// - Throws: ``GaveUp`` if there is none.
  package init(_ kind: Kind) throws {
    var ends: [CInt] = [-1, -1]
    switch kind {
    case .pipe: _ = pipe(&ends)
    case .socket: _ = socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    case .terminal:
      ends[0] = posix_openpt(O_RDWR | O_NOCTTY)
      if grantpt(ends[0]) == 0, unlockpt(ends[0]) == 0, let name = terminalName(of: ends[0]) {
        ends[1] = open(name, O_RDWR | O_NOCTTY)
      }
    }
    guard ends.allSatisfy({ $0 >= 0 }) else { throw GaveUp(description: "no \(kind): errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit { close() }

  /// Starts a program that writes to this reader, which is then the only one that has the other end.
  package func start(_ program: String, _ arguments: [String], on bus: PrivateBus) throws -> ChildProcess {
    let process = try bus.start(program, arguments, output: writing)
    Glibc.close(writing)
    writing = -1
    return process
  }

  /// Reads up to the end of a line.
  package func readLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.last != UInt8(ascii: "\n"), read(reading, &byte, 1) == 1 { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads up to the end of the output.
  package func readAll() -> String {
    var text = ""
    while case let line = readLine(), !line.isEmpty { text += line }
    return text
  }

  /// Writes to the program, which does not read that; only for a socket.
  package func write(_ text: String) { _ = Glibc.write(reading, text, text.utf8.count) }

  /// Lets the program know that it gets nothing to read any more; only for a socket.
  package func endWriting() { shutdown(reading, CInt(SHUT_WR)) }

  /// Stops reading, as when the reader is killed.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    Glibc.close(reading)
    if writing >= 0 { Glibc.close(writing) }
  }

  private var isClosed = false
}
