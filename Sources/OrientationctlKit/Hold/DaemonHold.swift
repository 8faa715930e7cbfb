// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Orientation
import OrientationClient
import Systemd

/// A hold of the interface, which lasts until it is released, or this process leaves the bus.
///
/// A daemon that was restarted is asked for it again. What is in the way is told once.
final class DaemonHold {
  private let request: HoldRequest
  private var watch: DaemonWatch?
  private var answer: Result<HeldOrientations.ID, BusError>?
  private var lastComplaint: String?
  private var isWarned = false

  /// Takes the hold, and waits for the answer.
  ///
  /// The bus starts the daemon if it does not run.
  ///
  /// - Throws: ``CommandError`` if the daemon refuses it, or there is none.
  init(_ request: HoldRequest, options: BusOptions, loop: EventLoop) throws(CommandError) {
    self.request = request
    watch = try options.bus.watch(for: .screen, in: loop) { [unowned self] in heard($0) }
    watch?.start()
    watch?.hold(request) { [unowned self] in answer = $0 }
    try inEventLoop { () throws(SystemdError) in while answer == nil { try loop.runOnce() } }
    if case .failure(let error) = answer { throw refusal(error, options: options) }
  }

  /// Ends the hold, and calls back when the interface has turned back.
  ///
  /// If that fails, the hold ends with this process.
  func release(_ released: @escaping () -> Void) {
    guard case .success(let hold) = answer, let watch else { return released() }
    watch.release(hold, answered: released)
  }

  private func heard(_ event: DaemonWatch.Event) {
    switch event {
    case .heldAgain(nil): lastComplaint = nil
    case .heldAgain(let error?): refusedAgain(error)
    case .screen(let screen): warn(of: screen)
    // Before the answer, the command does not run, and the call fails by itself.
    case .disconnected: if case .success = answer { complain("the connection to the bus has ended") }
    // A new owner of the name is asked again.
    case .appeared, .device, .deviceChanged, .turned, .waiting, .misunderstood, .refused: break
    }
  }

  private func refusedAgain(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.noReply,
      BusError.Name.disconnected:
      break  // This daemon has stopped too.
    default: complain(error.message)
    }
  }

  /// Warns once, if the hold waits or nothing turns the screen: whoever asks again after a restart may come before a desktop that does.
  private func warn(of screen: ScreenSnapshot) {
    defer { isWarned = true }
    guard !isWarned else { return }
    if screen.supported.isDisjoint(with: request.orientations) {
      let reason = CommandError.unsupported(request.orientations, in: screen)
      // Its command is on a line of its own.
      Report.write("\(Report.broken("orientationctl: the hold waits until this changes: \(reason)"))\n")
    } else if let warning = screen.followerWarning {
      Report.note(warning)
    }
  }

  private func complain(_ reason: String) {
    guard reason != lastComplaint else { return }
    lastComplaint = reason
    Report.note(
      "the interface is no longer held, and the command goes on without that: \(reason)")
  }

  private func refusal(_ error: BusError, options: BusOptions) -> CommandError {
    switch error.name {
    case BusError.Name.limitsExceeded:
      CommandError(
        "orientationd accepts no further hold: \(error.message.printable)\n"
          + "to see who holds the interface:\n\n    orientationctl status")
    // To run any command as root is no advice.
    default: CommandError(error, options: options, advisesRoot: false)
    }
  }
}
