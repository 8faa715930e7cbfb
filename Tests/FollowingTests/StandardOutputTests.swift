// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Following

@Suite("The standard output")
struct StandardOutputTests {
  @Test("that nobody reads, so that it is full, keeps no signal from ending the program")
  func full() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      var ends: [CInt] = [0, 0]
      pipe(&ends)
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      pthread_kill(pthread_self(), SIGTERM)
      // If it is of no use.
      alarm(10)
      try write(String(repeating: "0123456789\n", count: 10_000), to: ends[1])
    }
  }

  @Test("has all of a long text, while its reader takes it bit by bit")
  func long() throws {
    let text = String(repeating: "0123456789\n", count: 20_000)
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reader, writer) = (ends[0], ends[1])
    Thread.detachNewThread {
      try? write(text, to: writer)
      close(writer)
    }
    var output: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1000)
    while case let count = read(reader, &bytes, 1000), count > 0 { output += bytes.prefix(count) }
    close(reader)
    #expect(output == Array(text.utf8))
  }
}
