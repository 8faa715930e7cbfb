// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationClient
import Systemd

/// A command that runs while the interface is held.
final class HoldSession {
  /// How long to wait at the end until the interface has turned back, in seconds.
  private static let releaseSeconds = 1.0

  private let hold: DaemonHold
  private let loop: EventLoop
  private var signals: PassedSignals?
  private var childChanged: EventSource?
  private var releaseEnds: Timer?
  private var child: ChildCommand?
  private var end: CommandEnd?

  /// Takes the hold, and prepares to wait for a command.
  ///
  /// - Throws: ``CommandError`` if the interface cannot be held.
  init(_ request: HoldRequest, options: BusOptions) throws(CommandError) {
    do throws(SystemdError) {
      loop = try EventLoop()
    } catch {
      throw Self.failure(error)
    }
    hold = try DaemonHold(request, options: options, loop: loop)
    do throws(SystemdError) {
      signals = try PassedSignals(loop: loop) { [unowned self] in child?.send($0) }
      // If the parent of this process ignores the signal, the kernel would not keep the exit status.
      signal(SIGCHLD, SIG_DFL)
      childChanged = try loop.onSignal(SIGCHLD) { [unowned self] in childMayHaveEnded() }
      releaseEnds = try loop.timer { [unowned self] in loop.exit(0) }
    } catch {
      throw Self.failure(error)
    }
  }

  /// Runs a command, and ends the hold after it.
  ///
  /// - Returns: how the command has ended.
  /// - Throws: ``CommandError`` if the command cannot be run, or if it is impossible to wait for it.
  func run(_ words: ChildCommand.Words) throws(CommandError) -> CommandEnd {
    var failure: CommandError?
    do throws(ChildCommand.Failure) {
      child = try ChildCommand(words, blocking: signals?.maskBefore ?? sigset_t())
    } catch {
      failure = error.error(for: words[0].map { String(cString: $0) } ?? "")
      release()
    }
    // A message that nobody can read must not end the hold. The command keeps the usual action of the signal.
    signal(SIGPIPE, SIG_IGN)
    let status: CInt
    do throws(SystemdError) {
      status = try loop.run()
    } catch {
      throw Self.failure(error)
    }
    if let failure { throw failure }
    return end ?? .exited(status)
  }

  private static func failure(_ error: SystemdError) -> CommandError {
    CommandError("the event loop does not work: \(error)")
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
