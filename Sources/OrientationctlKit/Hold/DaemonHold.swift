// SPDX-License-Identifier: Apache-2.0

import Following
import Orientation
import OrientationClient
import Systemd

/// A hold of the interface, which lasts until it is released, or this process leaves the bus.
///
/// A daemon that was restarted is asked for it again: at once, or as soon as one of its orientations is supported. What is in the way is
/// told once.
final class DaemonHold {
  private let request: HoldRequest
  private var watch: DaemonWatch?
  private var answer: Result<HeldOrientations.ID, BusError>?
  /// Whether a restarted daemon has refused the hold because the person supports none of its orientations, which is to be told.
  private var isUnsupported = false
  /// What the running daemon has told; it may come before a refusal, or after it.
  private var screen: ScreenSnapshot?
  private var lastComplaint: String?
  private var isWarned = false

  /// Takes the hold, and waits for the answer.
  ///
  /// The bus starts the daemon if it does not run.
  ///
  /// - Throws: ``CommandError`` if the daemon refuses it, or there is none.
  init(_ request: HoldRequest, options: BusOptions, loop: EventLoop) throws(CommandError) {
    self.request = request
    watch = try options.watch(for: .screen, in: loop) { [unowned self] in heard($0) }
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
    case .appeared: (isUnsupported, screen) = (false, nil)
    case .heldAgain(nil): lastComplaint = nil
    case .heldAgain(let error?): refusedAgain(error)
    case .screen(let screen):
      self.screen = screen
      explainRefusal()
      warn(of: screen)
    // Before the answer, the command does not run, and the call fails by itself.
    case .disconnected: if case .success = answer { complain("the connection to the bus has ended") }
    // A new owner of the name is asked again.
    case .device, .deviceChanged, .turned, .waiting, .misunderstood, .refused: break
    }
  }

  private func refusedAgain(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.noReply,
      BusError.Name.disconnected:
      break  // This daemon has stopped too.
    case ServiceErrorName.unsupportedOrientation:
      isUnsupported = true
      explainRefusal()
    default: complain(error.message)
    }
  }

  private func explainRefusal() {
    guard isUnsupported, let screen, screen.supported.isDisjoint(with: request.orientations) else { return }
    isUnsupported = false
    complain(
      CommandError.unsupported(request.orientations, in: screen).description,
      outlook: "; the hold is taken when this changes")
  }

  /// Warns once if nothing turns the screen; who asks for the hold again after a restart may come before a desktop that does.
  private func warn(of screen: ScreenSnapshot) {
    defer { isWarned = true }
    if !isWarned, let warning = screen.followerWarning { StandardError.note(warning) }
  }

  private func complain(_ reason: String, outlook: String = "") {
    guard reason != lastComplaint else { return }
    lastComplaint = reason
    StandardError.note(
      "the interface is no longer held, and the command goes on without that\(outlook): \(reason)")
  }

  private func refusal(_ error: BusError, options: BusOptions) -> CommandError {
    switch error.name {
    case ServiceErrorName.unsupportedOrientation: .unsupported(request.orientations, in: Self.screen(options))
    case ServiceErrorName.limitsExceeded:
      CommandError(
        "orientationd accepts no further hold: \(error.message.printable)\n"
          + "to see who holds the interface: orientationctl status")
    // To run any command as root is no advice.
    default: CommandError(error, options: options, advisesRoot: false)
    }
  }

  /// The present state of the screen, for a message; the defaults if it cannot be read.
  private static func screen(_ options: BusOptions) -> ScreenSnapshot {
    (try? ScreenClient(options: options).state()) ?? ScreenSnapshot()
  }
}
