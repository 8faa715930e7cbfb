// SPDX-License-Identifier: Apache-2.0

import CLinux
import Following
package import Systemd

/// Watches for the events that end a command which runs until then.
package final class StopConditions {
  private let signals: HandledSignals
  private let outputClosed: EventSource?
  private var timeUp: Timer?

  /// Starts to watch.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - seconds: the time limit; nil is none.
  ///   - handler: called for each event, with whether the time limit has passed; if not, the user wants the end, or the reader of the output
  ///     has closed it.
  /// - Throws: `SystemdError` if there are no descriptors left.
  package init(
    loop: EventLoop, seconds: Double?, _ handler: @escaping (_ isTimeUp: Bool) -> Void
  ) throws(SystemdError) {
    // A write then fails with EPIPE, and the monitor can end its subscription.
    ignoreBrokenPipes()
    signals = try HandledSignals(HandledSignals.ends, in: loop) { _ in handler(false) }
    outputClosed = try Self.onReaderGone(in: loop) { handler(false) }
    if let seconds { timeUp = try loop.after(seconds: seconds, clock: .bootTime) { handler(true) } }
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
