// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// Hears of whatever ends the monitoring in good order.
final class MonitorStopConditions {
  /// What can end it.
  enum End: Equatable {
    /// Ctrl-C, SIGTERM, or the terminal is gone.
    case signal
    /// Nobody reads the output any more.
    case outputClosed
    /// The time that was given is over.
    case timeUp
  }

  private let interrupt: EventSource
  private let terminate: EventSource
  private let hangUp: EventSource
  private let outputClosed: EventSource?
  private let timeUp: Timer?

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - seconds: how long to go on; nil is for ever.
  ///   - handler: called for each end.
  /// - Throws: `SystemdError`, when there are no descriptors left.
  init(loop: borrowing EventLoop, seconds: Double?, _ handler: @escaping (End) -> Void) throws(SystemdError) {
    // A write says EPIPE then, and the daemon is told before the end.
    signal(SIGPIPE, SIG_IGN)
    interrupt = try loop.onSignal(SIGINT) { handler(.signal) }
    terminate = try loop.onSignal(SIGTERM) { handler(.signal) }
    hangUp = try loop.onSignal(SIGHUP) { handler(.signal) }
    // The sensor must not run on for a reader that has gone, until the next change that may never come.
    outputClosed =
      Self.isPipe(STDOUT_FILENO) ? try loop.onReadable(STDOUT_FILENO) { handler(.outputClosed) } : nil
    if let seconds {
      timeUp = try loop.after(seconds: seconds, clock: .bootTime) { handler(.timeUp) }
    } else {
      timeUp = nil
    }
  }

  private static func isPipe(_ descriptor: CInt) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
