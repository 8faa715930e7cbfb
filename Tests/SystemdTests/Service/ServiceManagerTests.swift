// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct ServiceManagerTests {
    @Test func `the service manager hears of readiness and stopping`() throws {
      let manager = try DatagramSocket()
      let child = try ChildProcess(
        "systemd-test-helper", ["notify"], environment: ["NOTIFY_SOCKET": manager.path])
      #expect(manager.receiveText() == "READY=1")
      #expect(manager.receiveText() == "STOPPING=1")
      #expect(try child.exitCode() == 0)
      #expect(child.output == "no error\n")
    }

    @Test func `without a service manager, telling it does nothing`() throws {
      let child = try ChildProcess("systemd-test-helper", ["notify"])
      #expect(try child.exitCode() == 0)
      #expect(child.output == "no error\n")
    }

    @Test func `a service manager that cannot be reached is an error`() throws {
      let child = try ChildProcess(
        "systemd-test-helper", ["notify"], environment: ["NOTIFY_SOCKET": "/nonexistent/socket"])
      #expect(try child.exitCode() == 1)
      #expect(child.output == "sd_notify: No such file or directory\n")
    }

    @Test func `a loop tells the watchdog that it turns, until a signal ends it`() throws {
      let manager = try DatagramSocket()
      let child = try ChildProcess(
        "systemd-test-helper", ["watchdog"],
        environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"])
      try TestSupport.wait(for: "the watchdog") { child.output == "enabled\n" }
      for _ in 0..<3 { #expect(manager.receiveText() == "WATCHDOG=1") }
      child.send(SIGTERM)
      #expect(try child.exitCode() == 3)
    }

    @Test func `a loop that nobody watches has no watchdog`() throws {
      let child = try ChildProcess("systemd-test-helper", ["watchdog"])
      #expect(try child.exitCode() == 0)
      #expect(child.output == "not asked for\n")
    }
  }
}
