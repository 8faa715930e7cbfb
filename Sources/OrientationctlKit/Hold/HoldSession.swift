// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Glibc
import Systemd

/// A command that runs while the interface is held.
final class HoldSession {
  /// How long to wait at the end until the interface has turned back, in seconds.
  private static let releaseSeconds = 1.0

  private let hold: DaemonHold
  private let loop: EventLoop
  /// The signals that were blocked before, as the command is to have them.
  private let maskBefore: sigset_t
  private var signals: HandledSignals?
  private var childChanged: EventSource?
  private var releaseEnds: Timer?
  private var child: ChildCommand?
  private var end: CommandEnd?

  /// Takes the hold, and prepares to wait for a command.
  ///
  /// - Throws: ``CommandError`` if the interface cannot be held.
  init(_ request: HoldRequest, options: BusOptions) throws(CommandError) {
    loop = try inEventLoop { () throws(SystemdError) in try EventLoop() }
    hold = try DaemonHold(request, options: options, loop: loop)
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    maskBefore = mask
    try inEventLoop { () throws(SystemdError) in
      signals = try HandledSignals([SIGTERM, SIGHUP, SIGINT, SIGQUIT], in: loop) { [unowned self] in pass($0)
      }
      // If the parent of this process ignores the signal, the kernel would not keep the exit status.
      signal(SIGCHLD, SIG_DFL)
      childChanged = try loop.onSignal(SIGCHLD) { [unowned self] in childMayHaveEnded() }
      releaseEnds = try loop.timer { [unowned self] in loop.exit(0) }
    }
  }

  /// Runs a command, and ends the hold after it.
  ///
  /// - Returns: how the command has ended.
  /// - Throws: ``CommandError`` if the command cannot be run, or if it is impossible to wait for it.
  func run(_ words: ChildCommand.Words) throws(CommandError) -> CommandEnd {
    var failure: CommandError?
    do throws(CommandError) {
      child = try ChildCommand(words, blocking: maskBefore)
    } catch {
      failure = error
      release()
    }
    // A message that nobody can read must not end the hold. The command keeps the usual action of the signal.
    signal(SIGPIPE, SIG_IGN)
    let status = try inEventLoop { () throws(SystemdError) in try loop.run() }
    if let failure { throw failure }
    return end ?? .exited(status)
  }

  /// Passes on a signal that ends the command, and not this process, which waits for its end.
  private func pass(_ signal: CInt) {
    let isOfKey = signal == SIGINT || signal == SIGQUIT
    if !isOfKey || !Self.isInForeground { child?.send(signal) }
  }

  /// Whether the keys Ctrl-C and Ctrl-\ of a terminal send their signals to this process, and so to the command too.
  private static var isInForeground: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }

  private func childMayHaveEnded() {
    guard let end = child?.end else { return }
    child = nil
    self.end = end
    release()
  }

  private func release() {
    releaseEnds?.arm(afterSeconds: Self.releaseSeconds)
    hold.release { [unowned self] in loop.exit(0) }
  }
}
