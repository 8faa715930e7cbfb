// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import Testing

extension SystemdTests {
  @Suite struct JournalTests {
    @Test func `an entry carries message, priority, identifier, id and fields`() throws {
      let journald = try DatagramSocket()
      let journal = Journal(identifier: "test", destination: .journal(socketPath: journald.path))
      journal.log(
        .warning, "a sensor is odd", id: "0123456789abcdef0123456789abcdef", fields: ["SENSOR": "bma250"])
      #expect(
        journald.receiveText() == """
          MESSAGE=a sensor is odd
          PRIORITY=4
          SYSLOG_IDENTIFIER=test
          MESSAGE_ID=0123456789abcdef0123456789abcdef
          SENSOR=bma250

          """)
    }

    @Test func `a value with line breaks goes with its length, so that it cannot pass for a field`() throws {
      let journald = try DatagramSocket()
      let journal = Journal(identifier: "test", destination: .journal(socketPath: journald.path))
      journal.log(.info, "one\nPRIORITY=0")
      var expected = Array("MESSAGE\n".utf8)
      expected += [14, 0, 0, 0, 0, 0, 0, 0]
      expected += Array("one\nPRIORITY=0\nPRIORITY=6\nSYSLOG_IDENTIFIER=test\n".utf8)
      #expect(journald.receive() == expected)
    }

    @Test func `a journald that does not read, or is not there, does not keep the caller`() throws {
      let journald = try DatagramSocket()
      let stuck = Journal(identifier: "test", destination: .journal(socketPath: journald.path))
      let text = String(repeating: "x", count: 10_000)
      // More than the kernel queues for a receiver (net.unix.max_dgram_qlen, 10 or 512 datagrams) or the
      // sender's buffer holds. That this ends is the test.
      for _ in 0..<24 { stuck.log(.info, text) }
      Journal(identifier: "test", destination: .journal(socketPath: "/nonexistent")).log(.info, text)
      #expect(!journald.receive().isEmpty)
    }

    @Test func `by hand, a message is a plain line on standard error`() throws {
      let child = try ChildProcess([ChildProcess.helper(), "journal"])
      #expect(child.readAll() == "standard error\nhelper: a sensor is odd\n")
      #expect(child.wait() == 0)
    }

    @Test func `a JOURNAL_STREAM of another descriptor is not ours`() throws {
      let child = try ChildProcess(
        [ChildProcess.helper(), "journal"], environment: ["JOURNAL_STREAM": "1:2"])
      #expect(child.readAll() == "standard error\nhelper: a sensor is odd\n")
    }

    @Test func `where standard error leads to the journal, messages go to journald instead`() throws {
      // The shell announces its own standard error the way the service manager does.
      let command = "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/$$/fd/2) exec \"$0\" journal"
      let child = try ChildProcess(["/bin/sh", "-c", command, ChildProcess.helper()])
      #expect(child.readAll() == "journal\n")
      #expect(child.wait() == 0)
    }
  }
}
