// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct JournalTests {
    @Test func `by hand, a message is a plain line on standard error`() throws {
      let child = try ChildProcess("systemd-test-helper", ["journal"])
      #expect(try child.exitCode() == 0)
      #expect(child.output == "standard error\n")
      #expect(child.errors == "helper: a sensor is odd\n")
    }

    @Test func `a JOURNAL_STREAM of another descriptor is not ours`() throws {
      let child = try ChildProcess(
        "systemd-test-helper", ["journal"], environment: ["JOURNAL_STREAM": "1:2"])
      #expect(try child.exitCode() == 0)
      #expect(child.output == "standard error\n")
      #expect(child.errors == "helper: a sensor is odd\n")
    }

    @Test func `where standard error leads to the journal, messages go to journald instead`() throws {
      // The shell announces its own standard error the way the service manager does.
      let command = "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/$$/fd/2) exec \"$0\" journal"
      let child = try ChildProcess("/bin/sh", ["-c", command, "systemd-test-helper"])
      #expect(try child.exitCode() == 0)
      #expect(child.output == "journal\n")
      #expect(child.errors.isEmpty)
    }
  }
}
