// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// Notifies the service manager of the service's state (`sd_notify`).
///
/// For the watchdog, see `EventLoop.enableWatchdog()`.
public enum ServiceManager {
  /// Whether a notification was sent.
  public enum Delivery: Equatable, Sendable {
    /// The service manager was notified.
    case sent
    /// The process was not started by a service manager that wants notifications (no `NOTIFY_SOCKET`).
    case nobodyListens
  }

  /// The service is up: `READY=1`.
  ///
  /// - Parameter status: A line for `systemctl status`; nil leaves it as it is.
  /// - Returns: Whether the notification was sent.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func ready(status: String? = nil) throws(SystemdError) -> Delivery {
    try notify("READY=1", status)
  }

  /// The configuration is being read again: `RELOADING=1`, until the service is ``ready(status:)`` again.
  ///
  /// It is sent with the time on CLOCK_MONOTONIC, by which systemd distinguishes its reload from an earlier one.
  ///
  /// - Returns: Whether the notification was sent.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func reloading() throws(SystemdError) -> Delivery {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return try notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)", nil)
  }

  /// The service is stopping: `STOPPING=1`.
  ///
  /// - Parameter status: A line for `systemctl status`; nil leaves it as it is.
  /// - Returns: Whether the notification was sent.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func stopping(status: String? = nil) throws(SystemdError) -> Delivery {
    try notify("STOPPING=1", status)
  }

  /// What `systemctl status` shows: `STATUS=`.
  ///
  /// - Parameter text: One line.
  /// - Returns: Whether the notification was sent.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func status(_ text: String) throws(SystemdError) -> Delivery {
    try notify("STATUS=\(text.printable)", nil)
  }

  private static func notify(_ state: String, _ status: String?) throws(SystemdError) -> Delivery {
    let message = status.map { "\(state)\nSTATUS=\($0.printable)" } ?? state
    return try check(sd_notify(0, message), "sd_notify") > 0 ? .sent : .nobodyListens
  }
}
