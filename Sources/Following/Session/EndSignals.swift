// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// The signals that end the program as its user wants it.
final class EndSignals {
  private let interrupt: EventSource
  private let terminate: EventSource
  private let hangUp: EventSource

  /// Starts to watch.
  ///
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemdError) {
    // A message that nobody can read must not end the program.
    ignoreBrokenPipes()
    interrupt = try loop.onSignal(SIGINT, handler)
    terminate = try loop.onSignal(SIGTERM, handler)
    hangUp = try loop.onSignal(SIGHUP, handler)
  }
}
