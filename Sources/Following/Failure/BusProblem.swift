// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Says why there is no connection to a bus, for the user of orientationctl.
///
/// - Parameters:
///   - isUserBus: whether it is the session bus.
///   - code: the errno.
/// - Returns: what is wrong, and what to do.
package func noConnection(toUserBus isUserBus: Bool, code: CInt) -> String {
  let hint =
    isUserBus
    ? "is DBUS_SESSION_BUS_ADDRESS set? (without --user, the system bus is used)"
    : "is dbus running? (--user uses the session bus)"
  // libsystemd's error if no variable has the address of the bus. Its text, "No medium found", does not help.
  let reason = code == ENOMEDIUM ? "" : " (\(String(cString: strerror(code))))"
  return "cannot connect to the \(isUserBus ? "session" : "system") bus\(reason); \(hint)"
}
