// SPDX-License-Identifier: Apache-2.0

import Systemd

/// What the monitor does for a printer that has keys.
protocol MonitorControl: AnyObject {
  /// Calls a method of the daemon, without waiting for the answer.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - interface: its interface.
  ///   - isInteractive: whether the user may be asked for a password.
  ///   - arguments: appends the arguments.
  ///   - answered: receives the answer, which may be an error.
  /// - Returns: whether it was called; not without a daemon.
  func call(
    _ member: String, of interface: String, isInteractive: Bool,
    _ arguments: (borrowing Message) throws(BusError) -> Void,
    answered: @escaping (borrowing Message) -> Void
  ) -> Bool

  /// Ends the monitor, because the output cannot be written.
  func outputFailed(_ error: OutputError)

  /// Ends the monitor, because the user wants that.
  func end()
}
