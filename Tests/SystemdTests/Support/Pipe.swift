// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A pipe that children do not inherit.
final class Pipe {
  let reading: CInt
  let writing: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw GaveUp(description: "pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func write(_ text: String) { _ = Glibc.write(writing, text, text.utf8.count) }

  /// Reads what there is, waiting for something; empty at the end.
  static func read(_ descriptor: CInt) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
