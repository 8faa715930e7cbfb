// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// A command that runs while the interface is held.
final class HoldSession {
  private let hold: DaemonHold
  private let loop: EventLoop
  private var signals: PassedSignals?
  private var childChanged: EventSource?
  private var child: ChildCommand?
  private var end: CommandEnd?

  /// Takes the hold, and prepares to wait for a command.
  ///
  /// - Throws: ``CommandError`` if the interface cannot be held.
  init(_ request: HoldRequest, options: BusOptions) throws(CommandError) {
    hold = try DaemonHold(request, options: options)
    do throws(SystemdError) {
      loop = try EventLoop()
      signals = try PassedSignals(loop: loop) { [unowned self] in child?.send($0) }
      // If the parent of this process ignores the signal, the kernel would not keep the exit status.
      signal(SIGCHLD, SIG_DFL)
      childChanged = try loop.onSignal(SIGCHLD) { [unowned self] in childMayHaveEnded() }
    } catch {
      throw CommandError("the event loop does not work: \(error)")
    }
    do throws(BusError) {
      try hold.keep(on: loop)
    } catch {
      throw CommandError("cannot listen to the \(options.name) bus: \(error)")
    }
  }

  /// Runs a command, and ends the hold after it.
  ///
  /// - Returns: how the command has ended.
  /// - Throws: ``CommandError`` if the command cannot be run, or if it is impossible to wait for it.
  func run(_ words: ChildCommand.Words) throws(CommandError) -> CommandEnd {
    defer { hold.release() }
    do throws(ChildCommand.Failure) {
      child = try ChildCommand(words, blocking: signals?.maskBefore ?? sigset_t())
    } catch {
      throw error.error(for: words[0].map { String(cString: $0) } ?? "")
    }
    // A message that nobody can read must not end the hold. The command keeps the usual action of the signal.
    signal(SIGPIPE, SIG_IGN)
    do throws(SystemdError) {
      let status = try loop.run()
      return end ?? .exited(status)
    } catch {
      throw CommandError("the event loop does not work: \(error)")
    }
  }

  private func childMayHaveEnded() {
    guard let end = child?.end else { return }
    child = nil
    self.end = end
    loop.exit(end.status)
  }
}
