// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// Tells the service manager how the service is (`sd_notify`).
///
/// The watchdog is `EventLoop`'s.
public enum ServiceManager {
  /// Whether there was somebody to tell.
  public enum Delivery: Equatable, Sendable {
    /// The service manager has been told.
    case sent
    /// The process was not started by a service manager that wants to know (no `NOTIFY_SOCKET`).
    case nobodyListens
  }

  /// The service is up: `READY=1`.
  ///
  /// - Parameter status: A line for `systemctl status`; nil leaves it as it is.
  /// - Returns: Whether there was somebody to tell.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func ready(status: String? = nil) throws(SystemdError) -> Delivery {
    try notify("READY=1", status)
  }

  /// The configuration is being read again: `RELOADING=1`, until the service is ``ready(status:)`` again.
  ///
  /// With the time on CLOCK_MONOTONIC, by which systemd knows the reload that it has asked for from an earlier one.
  ///
  /// - Returns: Whether there was somebody to tell.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func reloading() throws(SystemdError) -> Delivery {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return try notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)", nil)
  }

  /// The service is on its way out: `STOPPING=1`.
  ///
  /// - Parameter status: A line for `systemctl status`; nil leaves it as it is.
  /// - Returns: Whether there was somebody to tell.
  /// - Throws: `SystemdError`, when the socket cannot be reached.
  @discardableResult
  public static func stopping(status: String? = nil) throws(SystemdError) -> Delivery {
    try notify("STOPPING=1", status)
  }

  /// What `systemctl status` shows: `STATUS=`.
  ///
  /// - Parameter text: One line.
  /// - Returns: Whether there was somebody to tell.
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
