// SPDX-License-Identifier: Apache-2.0

// The same order as in `orientationctl monitor`: NameOwnerChanged reports each new owner of the bus name; this subscribes there, and
// then reads its state, so that no change in between is missed. A transform that the daemon announces before it knows how the device
// is held is the saved one: it would turn the screen twice at the start.

import Orientation
import OrientationClient
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
    let failed: (FollowFailure) -> Void
  }

  /// How long to wait for the orientation of the device, in seconds.
  private static let patience = 0.5

  private let bus: Bus
  private let busName: String
  private let startHint: String
  private let listener: Listener
  private var owner: NameOwner?
  private var deviceTurned: Slot?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?
  private var pendingCall: Slot?
  private var patienceEnds: Timer?

  /// The unique name of the running daemon; nil while none runs.
  private var daemon: String?
  private var device = DeviceSnapshot()
  /// Nil until the daemon has answered with all properties.
  private var screen: ScreenSnapshot?
  /// The last one that is of another version of the daemon.
  private var unknownTransform: String?
  /// Whether the last message says that the daemon is waited for.
  private var isWaitingNoted = false
  /// Whether the transform is that of the orientation in which the device is held now.
  private var isSettled = false

  /// Connects to the bus, and adds the match rules.
  ///
  /// - Parameters:
  ///   - isUserBus: whether the daemon is on the session bus.
  ///   - loop: the loop of this thread.
  ///   - listener: receives what happens.
  /// - Throws: ``FollowFailure`` if there is no bus.
  init(
    isUserBus: Bool, loop: borrowing EventLoop, listener: Listener
  ) throws(FollowFailure) {
    self.listener = listener
    busName = isUserBus ? "session" : "system"
    startHint = isUserBus ? "orientationd --user" : "systemctl start orientationd"
    do throws(BusError) {
      bus = try Bus.open(isUserBus ? .session : .system)
      _ = try bus.uniqueName
      try bus.attach(to: loop)
    } catch {
      throw FollowFailure(noConnection(toUserBus: isUserBus, code: error.code))
    }
    do throws(SystemdError) {
      patienceEnds = try loop.timer { [unowned self] in settle() }
    } catch {
      throw FollowFailure("the event loop does not work: \(error)")
    }
    try sending { [unowned self] () throws(BusError) in try listen() }
  }

  /// Subscribes to the daemon, which is started if it does not run.
  ///
  /// - Throws: ``FollowFailure`` if the bus does not work.
  func start() throws(FollowFailure) {
    if let owner = owner?.uniqueName { return daemonAppeared(owner) }
    try sending { [unowned self] () throws(BusError) in try startDaemon() }
  }

  /// Ends the subscription, without waiting for the answer.
  func end() {
    guard let daemon else { return }
    self.daemon = nil
    // If this fails, the subscription ends when this client leaves the bus.
    do throws(BusError) {
      try bus.send(try bus.deviceCall("EndGeneratingDeviceOrientationNotifications", to: daemon))
    } catch {}
  }

  private func sending(_ body: () throws(BusError) -> Void) throws(FollowFailure) {
    do throws(BusError) {
      try body()
    } catch {
      throw FollowFailure("the \(busName) bus does not answer: \(error)")
    }
  }

  // MARK: Signals

  private func listen() throws(BusError) {
    owner = try NameOwner(of: DBusNames.service, on: bus) { [unowned self] in ownerChanged() }
    deviceTurned = try match("interface='\(DBusNames.deviceInterface)',member='OrientationDidChange'") {
      [unowned self] _ throws(BusError) in settle()
    }
    propertiesChanged = try match(
      "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned self] message throws(BusError) in
      guard try message.readString() == DBusNames.screenInterface, var changed = screen else { return }
      try changed.update(from: message)
      show(changed)
    }
    disconnected = try bus.onDisconnected { [unowned self] in
      listener.failed(FollowFailure("the connection to the \(busName) bus has ended"))
    }
  }

  private func match(
    _ rule: String, _ handler: @escaping (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) -> Slot {
    try bus.match("type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',\(rule)") {
      [unowned self] message in
      if owner?.hasSent(message) == true { read(message, handler) }
    }
  }

  private func read(
    _ message: borrowing Message, _ body: (borrowing Message) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      try body(message)
    } catch {
      Report.note("the daemon sent something that this orientationctl does not understand: \(error)")
    }
  }

  // MARK: The daemon starts and stops

  private func ownerChanged() {
    guard owner?.uniqueName != daemon else { return }
    if daemon != nil {
      // The screen stays as it is, and what resets it meanwhile is undone.
      noteWaiting("orientationd has stopped; waiting for it to start again")
      daemon = nil
      pendingCall = nil
    }
    if let owner = owner?.uniqueName { daemonAppeared(owner) }
  }

  /// Asks the bus to start the daemon; NameOwnerChanged follows.
  private func startDaemon() throws(BusError) {
    pendingCall = try bus.callAsync(try bus.startCall()) { [unowned self] reply in
      guard let error = reply.error, daemon == nil else { return }
      let reason =
        error.name == BusError.Name.serviceUnknown ? "" : ", and could not be started: \(error.message)"
      noteWaiting(
        "orientationd does not run on the \(busName) bus\(reason); waiting for it (start it with: \(startHint))"
      )
    }
  }

  private func daemonAppeared(_ owner: String) {
    daemon = owner
    device = DeviceSnapshot()
    screen = nil
    isSettled = false
    patienceEnds?.cancel()
    call(try bus.deviceCall("BeginGeneratingDeviceOrientationNotifications", to: owner)) {
      [unowned self] _ throws(BusError) in
      call(try bus.propertiesCall(of: DBusNames.deviceInterface, to: owner)) {
        [unowned self] reply throws(BusError) in
        try device.update(from: reply)
        requestScreen(of: owner)
      }
    }
  }

  private func requestScreen(of owner: String) {
    call(try bus.propertiesCall(of: DBusNames.screenInterface, to: owner)) {
      [unowned self] reply throws(BusError) in
      var read = ScreenSnapshot()
      try read.update(from: reply)
      screen = read
      if isWaitingNoted { Report.note("orientationd runs now") }
      isWaitingNoted = false
      waitForOrientation()
    }
  }

  private func noteWaiting(_ text: String) {
    isWaitingNoted = true
    Report.note(text)
  }

  private func call(
    _ message: @autoclosure () throws(BusError) -> Message,
    _ answered: @escaping (borrowing Message) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      pendingCall = try bus.callAsync(try message()) { [unowned self] reply in
        if let error = reply.error { return callFailed(error) }
        read(reply, answered)
      }
    } catch {
      listener.failed(FollowFailure("cannot contact orientationd: \(error)"))
    }
  }

  private func callFailed(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.disconnected:
      break  // The daemon has stopped meanwhile; NameOwnerChanged reports that.
    // NoReply is what libsystemd reports after its timeout, and the bus after the daemon's end: it refuses what is asked then.
    case BusError.Name.timeout, BusError.Name.noReply:
      noteWaiting("orientationd does not answer; asking again")
      // If it has counted the first subscription, too, both end with this client.
      if let daemon { daemonAppeared(daemon) }
    default: listener.failed(FollowFailure("orientationd refuses the request: \(error)"))
    }
  }

  // MARK: The transform

  private func waitForOrientation() {
    guard device.orientation == .unknown, device.hasAccelerometer, !isSettled else { return settle() }
    do throws(SystemdError) {
      try patienceEnds?.arm(afterSeconds: Self.patience)
    } catch {
      settle()
    }
  }

  private func settle() {
    isSettled = true
    patienceEnds?.cancel()
    if let screen { show(screen) }
  }

  private func show(_ changed: ScreenSnapshot) {
    screen = changed
    guard isSettled else { return }
    listener.changed(changed)
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
