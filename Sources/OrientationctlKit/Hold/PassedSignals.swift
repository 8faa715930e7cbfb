// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// The signals that end a command, and not this process, which waits for the command's end.
final class PassedSignals {
  /// The signals that were blocked before, as the command is to have them.
  let maskBefore: sigset_t
  private let terminate: EventSource
  private let hangUp: EventSource
  private let interrupt: EventSource
  private let quit: EventSource

  /// Starts to receive these signals.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - pass: called with each signal that the command does not get from the kernel.
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(loop: EventLoop, _ pass: @escaping (CInt) -> Void) throws(SystemdError) {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    maskBefore = mask
    terminate = try loop.onSignal(SIGTERM) { pass(SIGTERM) }
    hangUp = try loop.onSignal(SIGHUP) { pass(SIGHUP) }
    interrupt = try loop.onSignal(SIGINT) { if !Self.isInForeground { pass(SIGINT) } }
    quit = try loop.onSignal(SIGQUIT) { if !Self.isInForeground { pass(SIGQUIT) } }
  }

  /// Whether the keys Ctrl-C and Ctrl-\ of a terminal send their signals to this process, and so to the command too.
  private static var isInForeground: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}
