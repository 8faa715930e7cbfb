// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Systemd

/// A hold of the interface, which lasts until it is released, or this process leaves the bus.
final class DaemonHold {
  /// How long to wait at the end until the interface has turned back, in seconds.
  private static let releaseSeconds = 1.0

  private let request: HoldRequest
  private let bus: Bus
  private let authorization = InteractiveAuthorization()
  private var owner: NameOwner?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?
  private var pendingCall: Slot?
  /// The daemon that has the hold, by its unique name, and the number of the hold there.
  private var granted: (by: String?, number: UInt32)?
  /// Whether a restarted daemon has refused the hold because the person supports none of its orientations at present.
  private var isUnsupported = false
  private var lastComplaint: String?

  /// Takes the hold.
  ///
  /// The bus starts the daemon if it does not run.
  ///
  /// - Throws: ``CommandError`` if the daemon refuses it, or there is none.
  init(_ request: HoldRequest, options: BusOptions) throws(CommandError) {
    self.request = request
    bus = try options.connect()
    do throws(BusError) {
      // Before the call: a restart after the answer is noticed then.
      owner = try NameOwner(of: DBusNames.service, on: bus) { [unowned self] in ownerChanged() }
      let reply = try bus.call(try call(), timeoutSeconds: authorization.timeoutSeconds)
      granted = (reply.sender, try reply.readUInt32())
    } catch {
      throw refusal(error, options: options)
    }
  }

  /// Takes the hold again whenever the daemon was restarted, as soon as one of its orientations is supported.
  ///
  /// - Parameter loop: the loop in which that happens.
  /// - Throws: `BusError` if the connection has ended.
  func keep(on loop: EventLoop) throws(BusError) {
    try bus.attach(to: loop)
    propertiesChanged = try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='\(DBusNames.screenInterface)'"
    ) { [unowned self] message in screenChanged(message) }
    disconnected = try bus.onDisconnected { [unowned self] in complain("the connection to the bus has ended")
    }
  }

  /// Ends the hold, and waits until the interface has turned back.
  ///
  /// If that fails, the hold ends with this process.
  func release() {
    guard let daemon = granted?.by, let number = granted?.number, daemon == owner?.uniqueName else { return }
    do throws(BusError) {
      let call = try bus.daemonCall(
        "ReleaseInterfaceOrientations", of: DBusNames.screenInterface, to: daemon)
      try call.append(number)
      _ = try bus.call(call, timeoutSeconds: Self.releaseSeconds)
    } catch {}
  }

  private func call(to daemon: String = DBusNames.service) throws(BusError) -> Message {
    let call = try bus.daemonCall("HoldInterfaceOrientations", of: DBusNames.screenInterface, to: daemon)
    try call.append(request.orientations.rawValue)
    try call.append(request.application)
    try call.append(request.reason)
    try authorization.apply(to: call)
    return call
  }

  // MARK: A restart of the daemon

  private func ownerChanged() {
    // What another daemon has refused says nothing about this one.
    isUnsupported = false
    guard let daemon = owner?.uniqueName, daemon != granted?.by else { return }
    holdAgain(by: daemon)
  }

  private func holdAgain(by daemon: String) {
    isUnsupported = false
    ask(try call(to: daemon)) { [unowned self] reply throws(BusError) in
      granted = (daemon, try reply.readUInt32())
      lastComplaint = nil
    }
  }

  /// Sends a call, instead of waiting for the answer to the one before.
  private func ask(
    _ call: @autoclosure () throws(BusError) -> Message,
    _ answered: @escaping (borrowing Message) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      pendingCall = try bus.callAsync(try call(), timeoutSeconds: authorization.timeoutSeconds) {
        [unowned self] reply in
        do throws(BusError) {
          if let error = reply.error { throw error }
          try answered(reply)
        } catch {
          failedAgain(error)
        }
      }
    } catch {
      complain(error.message)
    }
  }

  private func failedAgain(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.noReply,
      BusError.Name.disconnected:
      break  // This daemon has stopped too; a new owner of the name is asked again.
    case ServiceErrorName.unsupportedOrientation: waitForSupport()
    default: complain(error.message)
    }
  }

  // MARK: A person who supports none of the orientations

  private func waitForSupport() {
    guard let daemon = owner?.uniqueName else { return }
    isUnsupported = true
    ask(try bus.propertiesCall(of: DBusNames.screenInterface, to: daemon)) {
      [unowned self] reply throws(BusError) in
      var screen = ScreenSnapshot()
      try screen.update(from: reply)
      complain(
        CommandError.unsupported(request.orientations, in: screen).description,
        outlook: "; the hold is taken when this changes")
    }
  }

  private func screenChanged(_ message: borrowing Message) {
    guard isUnsupported, owner?.hasSent(message) == true, let daemon = owner?.uniqueName else { return }
    var screen = ScreenSnapshot()
    // Stays empty if the message is about other properties.
    screen.supported = []
    do throws(BusError) {
      try message.skip("s")
      try screen.update(from: message)
    } catch {
      return
    }
    guard !screen.supported.isDisjoint(with: request.orientations) else { return }
    holdAgain(by: daemon)
  }

  private func complain(_ reason: String, outlook: String = "") {
    guard reason != lastComplaint else { return }
    lastComplaint = reason
    StandardError.note(
      "the interface is no longer held, and the command goes on without that\(outlook): \(reason)")
  }

  // MARK: Refusals

  private func refusal(_ error: BusError, options: BusOptions) -> CommandError {
    switch error.name {
    case ServiceErrorName.unsupportedOrientation: .unsupported(request.orientations, in: state)
    case ServiceErrorName.limitsExceeded:
      CommandError(
        "orientationd accepts no further hold: \(error.message.printable)\n"
          + "to see who holds the interface: orientationctl status")
    // To run any command as root is no advice.
    default: CommandError(error, options: options, advisesRoot: false)
    }
  }

  /// The present state of the screen, for a message; the defaults if it cannot be read.
  private var state: ScreenSnapshot {
    var screen = ScreenSnapshot()
    do throws(BusError) {
      try screen.update(from: try bus.call(try bus.propertiesCall(of: DBusNames.screenInterface)))
    } catch {}
    return screen
  }
}
