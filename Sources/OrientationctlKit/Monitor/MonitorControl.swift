// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import Systemd

/// What the monitor does for a printer that has keys.
protocol MonitorControl: AnyObject {
  /// Calls a method of the daemon, without waiting for the answer.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - answered: receives the answer, which may be an error.
  /// - Returns: whether it was called; not without a daemon.
  func call(_ call: DaemonCall, answered: @escaping (borrowing Message) -> Void) -> Bool

  /// Ends the monitor, because the output cannot be written.
  func outputFailed(_ error: OutputError)

  /// Ends the monitor, because the user wants that.
  func end()
}
