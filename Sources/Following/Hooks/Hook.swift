// SPDX-License-Identifier: Apache-2.0

// This folder: commands of the user that run when something has changed. Hooks decides what is a change; a Hook runs its command, one
// process after the other; HookProcess is such a process.

import Systemd

/// A command of the user for one kind of change.
///
/// It runs once at a time. Of the changes meanwhile, the newest one counts, after the command has ended.
final class Hook {
  private typealias Run = (value: String, variables: () -> HookVariables)

  private let name: String
  private let command: HookCommand
  private let loop: EventLoop
  private let patience: Double
  private let note: (String) -> Void
  /// The command while it runs.
  private(set) var process: HookProcess?
  /// What the command was started for last.
  private var started: String?
  private var next: Run?
  private var patienceEnds: Timer?

  /// Creates a hook; nothing runs yet.
  ///
  /// - Parameters:
  ///   - name: the option that the command belongs to, for messages.
  ///   - command: what to run.
  ///   - loop: the loop of this thread.
  ///   - patience: how long a change waits, in seconds, before a message says that the command still runs.
  ///   - note: shows a message.
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(
    _ name: String, _ command: HookCommand, loop: EventLoop, patience: Double = 10,
    note: @escaping (String) -> Void = Report.note
  ) throws(SystemdError) {
    (self.name, self.command, self.patience, self.note) = (name, command, patience, note)
    self.loop = loop
    patienceEnds = try loop.timer {
      note("the command of \(name) still runs after \(Int(patience)) s; what has changed waits for its end")
    }
  }

  /// Takes the present value; the command runs if the last one was another.
  ///
  /// - Parameters:
  ///   - value: what may have changed.
  ///   - variables: what the command finds in its environment, when it starts.
  func take(_ value: String, _ variables: @autoclosure @escaping () -> HookVariables) {
    guard process != nil else { return start((value, variables)) }
    let isWaiting = next != nil
    next = value == started ? nil : (value, variables)
    if next == nil { patienceEnds?.cancel() } else if !isWaiting { patienceEnds?.arm(afterSeconds: patience) }
  }

  private func start(_ run: Run) {
    guard run.value != started else { return }
    started = run.value
    do throws(CommandError) {
      process = try HookProcess(command, variables: run.variables(), loop: loop) {
        [unowned(unsafe) self] problem in
        ended(problem)
      }
    } catch {
      note("cannot run \(command.words[0]) for \(name): \(error.description)")
    }
  }

  private func ended(_ problem: String?) {
    process = nil
    patienceEnds?.cancel()
    if let problem { note("the command of \(name) \(problem)") }
    guard let run = next else { return }
    next = nil
    start(run)
  }
}
