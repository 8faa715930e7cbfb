// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// Notifies the service manager of the service's state (`sd_notify`).
///
/// For the watchdog, see `EventLoop.enableWatchdog()`.
package enum ServiceManager {
  /// The service is up: `READY=1`.
  ///
  /// Nothing is sent if the process was not started by a service manager that wants notifications (no `NOTIFY_SOCKET`).
  ///
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  package static func ready() throws(SystemdError) { try notify("READY=1") }

  /// The configuration is being read again: `RELOADING=1`, until the service is ``ready()`` again.
  ///
  /// It is sent with the time on CLOCK_MONOTONIC, by which systemd distinguishes its reload from an earlier one.
  ///
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  package static func reloading() throws(SystemdError) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    try notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
  }

  /// The service is stopping: `STOPPING=1`.
  ///
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  package static func stopping() throws(SystemdError) { try notify("STOPPING=1") }

  /// Whether the process was started by a service manager that wants notifications.
  static var isListening: Bool { getenv("NOTIFY_SOCKET") != nil }

  /// Passes a descriptor to the service manager, which passes it to the next process of the service: `FDSTORE=1`.
  ///
  /// It drops it when the other end is closed, or the service is stopped for good.
  static func store(_ descriptor: CInt, as name: String) throws(SystemdError) {
    var descriptor = descriptor
    try SystemdError.check(
      sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", &descriptor, 1), "sd_pid_notify_with_fds")
  }

  private static func notify(_ state: String) throws(SystemdError) {
    try SystemdError.check(sd_notify(0, state), "sd_notify")
  }
}
