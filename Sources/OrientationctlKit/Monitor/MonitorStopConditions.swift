// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// Watches for the events that end the monitor.
final class MonitorStopConditions {
  /// Why the monitor ends.
  enum End: Equatable {
    /// Ctrl-C, SIGTERM, or the terminal was closed.
    case signal
    /// The reader of the output has closed it.
    case outputClosed
    /// The time limit has passed.
    case timeUp
  }

  private let interrupt: EventSource
  private let terminate: EventSource
  private let hangUp: EventSource
  private let outputClosed: EventSource?
  private let timeUp: Timer?

  /// Starts to watch.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - seconds: the time limit; nil is none.
  ///   - handler: called for each event.
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(loop: EventLoop, seconds: Double?, _ handler: @escaping (End) -> Void) throws(SystemdError) {
    // A write then fails with EPIPE, and the monitor can end its subscription.
    signal(SIGPIPE, SIG_IGN)
    interrupt = try loop.onSignal(SIGINT) { handler(.signal) }
    terminate = try loop.onSignal(SIGTERM) { handler(.signal) }
    hangUp = try loop.onSignal(SIGHUP) { handler(.signal) }
    outputClosed = try Self.onReaderGone(in: loop) { handler(.outputClosed) }
    if let seconds {
      timeUp = try loop.after(seconds: seconds, clock: .bootTime) { handler(.timeUp) }
    } else {
      timeUp = nil
    }
  }

  /// Waits for the end of the program, or of the terminal, that has the other end of the output.
  ///
  /// Only a write would fail otherwise: with no change, the sensor would keep running for a reader that has exited.
  ///
  /// - Returns: nil if the output has no other end: a file, or a device such as /dev/null. A closed output is found at the first write.
  private static func onReaderGone(
    in loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource? {
    do throws(SystemdError) {
      // Before a change that waits as well: its line could not be written.
      return try loop.onHangUp(STDOUT_FILENO, priority: .beforeBus, handler)
    } catch {
      guard error.code == EPERM || error.code == EBADF else { throw error }
      return nil
    }
  }
}
