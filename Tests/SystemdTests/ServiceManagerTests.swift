// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import Testing

extension SystemdTests {
  @Suite struct ServiceManagerTests {
    @Test func `the service manager hears of readiness, status and stopping`() throws {
      let manager = try DatagramSocket()
      let child = try ChildProcess(
        [ChildProcess.helper(), "notify"], environment: ["NOTIFY_SOCKET": manager.path])
      #expect(manager.receiveText() == "READY=1\nSTATUS=Up")
      #expect(manager.receiveText() == "STATUS=Busy")
      #expect(manager.receiveText() == "STOPPING=1")
      #expect(child.readAll() == "sent\n")
      #expect(child.wait() == 0)
    }

    @Test func `without a service manager, telling it does nothing`() throws {
      let child = try ChildProcess([ChildProcess.helper(), "notify"])
      #expect(child.readAll() == "nobody listens\n")
      #expect(child.wait() == 0)
    }

    @Test func `a service manager that cannot be reached is an error`() throws {
      let child = try ChildProcess(
        [ChildProcess.helper(), "notify"], environment: ["NOTIFY_SOCKET": "/nonexistent/socket"])
      #expect(child.readAll() == "sd_notify: No such file or directory\n")
      #expect(child.wait() == 1)
    }

    @Test func `a loop tells the watchdog that it turns, until a signal ends it`() throws {
      let manager = try DatagramSocket()
      let child = try ChildProcess(
        [ChildProcess.helper(), "watchdog"],
        environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"])
      #expect(child.readLine() == "enabled")
      for _ in 0..<3 { #expect(manager.receiveText() == "WATCHDOG=1") }
      kill(child.process, SIGTERM)
      #expect(child.wait() == 3)
    }

    @Test func `a loop that nobody watches has no watchdog`() throws {
      let child = try ChildProcess([ChildProcess.helper(), "watchdog"])
      #expect(child.readAll() == "not asked for\n")
    }
  }
}
