// SPDX-License-Identifier: Apache-2.0

// Until anything has decided on the orientation of the interface, the screen stays as it is: it would turn twice at the start.

import DaemonClient
import Orientation
import Systemd

/// The transform that the daemon wants the screen to have.
final class DaemonScreen {
  /// Receives what happens.
  struct Listener {
    /// The properties of the screen are known, or have changed; before ``turned``.
    let changed: (ScreenSnapshot) -> Void
    /// The screen is to have this transform.
    let turned: (OutputTransform) -> Void
    /// The connection to the bus has ended, or the daemon refuses.
    let failed: (CommandError) -> Void
  }

  private let listener: Listener
  private var watch: DaemonWatch?
  /// The last one that is of another version of the daemon.
  private var unknownTransform: String?
  /// Whether the daemon has refused to count this program as who turns the screen.
  private var isRefused = false
  /// Whether the last message says that the daemon is waited for.
  private var isWaitingNoted = false

  /// Connects to the bus, and adds the match rules.
  ///
  /// - Parameters:
  ///   - isUserBus: whether the daemon is on the session bus.
  ///   - loop: the loop of this thread.
  ///   - listener: receives what happens.
  /// - Throws: ``CommandError`` if there is no bus.
  init(isUserBus: Bool, loop: EventLoop, listener: Listener) throws(CommandError) {
    self.listener = listener
    let place = isUserBus ? Bus.Address.session : .system
    watch = try place.watch(for: .turns, in: loop) { [unowned(unsafe) self] in heard($0) }
  }

  /// Subscribes to the daemon, which is started if it does not run.
  func start() { watch?.start() }

  /// Ends the subscription, without waiting for the answer.
  func end() { watch?.end() }

  private func heard(_ event: DaemonWatch.Event) {
    switch event {
    case .appeared:
      askToCount()
    case .device, .deviceChanged, .heldAgain, .turned: break
    case .screen(let screen):
      if isRefused { askToCount() }
      show(screen)
    // The screen stays as it is, and what resets it meanwhile is undone.
    case .waiting(_, let problem):
      isWaitingNoted = true
      Report.note(problem.text)
    case .misunderstood(let problem): Report.note(problem.text)
    case .refused(let problem), .disconnected(let problem): listener.failed(CommandError(problem.text))
    }
  }

  /// Has the daemon know that this program turns the screen, as people are told who does.
  ///
  /// Who is not at the screen is refused, and turns it all the same; so it asks again at the next change.
  private func askToCount() {
    isRefused = false
    _ = watch?.call(.screen("BeginFollowing")) { [unowned(unsafe) self] reply in
      isRefused = reply.error != nil
    }
  }

  // MARK: The transform

  private func show(_ changed: ScreenSnapshot) {
    if isWaitingNoted { Report.note("orientationd runs now") }
    isWaitingNoted = false
    listener.changed(changed)
    guard changed.isDecided else { return }
    guard let transform = OutputTransform(rawValue: changed.transform) else {
      return noteUnknown(changed.transform)
    }
    listener.turned(transform)
  }

  private func noteUnknown(_ transform: String) {
    guard transform != unknownTransform else { return }
    unknownTransform = transform
    Report.note("the daemon has a transform that this orientationctl does not know: \(transform.prefix(40))")
  }
}
