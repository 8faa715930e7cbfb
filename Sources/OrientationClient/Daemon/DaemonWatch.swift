// SPDX-License-Identifier: Apache-2.0

// NameOwnerChanged reports each new owner of the bus name. This subscribes to the notifications of that owner, if that is wanted, and
// then reads its present state: in this order, it misses no change in between. Signals from other senders are ignored. The bus is asked
// only once, at the beginning, to start the daemon.

package import Orientation
package import Systemd

/// The conversation of a program that has one event loop with the daemon, over restarts of the daemon.
package final class DaemonWatch {
  /// What happens.
  package enum Event {
    /// A daemon runs; what was known of the one before is void.
    case appeared
    /// All properties of the device were read.
    case device(DeviceSnapshot)
    /// Properties of the device have changed.
    case deviceChanged(from: DeviceSnapshot, to: DeviceSnapshot)
    /// The device was turned.
    case turned(DeviceOrientation, decidedAt: BootTime)
    /// All properties of the screen were read, or some have changed.
    case screen(ScreenSnapshot)
    /// A daemon is waited for; a sentence for people.
    case waiting(Wait, String)
    /// The daemon has sent something that cannot be read: it may have another version. A sentence for people.
    case misunderstood(String)
    /// The daemon refuses, or the connection to the bus has ended; a sentence for people.
    case failed(String)
  }

  /// Why a daemon is waited for.
  package enum Wait {
    /// None runs, and the bus could not start one.
    case notStarted
    /// It has ended.
    case stopped
    /// It does not answer, and is asked again.
    case silent
  }

  /// What is wanted of the daemon.
  package enum Interest {
    /// How the device is held, for which the sensor has to run, and the screen.
    case deviceAndScreen
    /// The screen only.
    case screen
  }

  /// How long a call waits if the user may have to type a password first, in seconds: the daemon answers after 120.
  private static let secondsToAuthenticate = 125.0

  /// The unique name of the running daemon; nil while none runs.
  package private(set) var daemon: String?
  /// The device, as far as the running daemon has told.
  package private(set) var device = DeviceSnapshot()

  private let bus: Bus
  private let place: DaemonBus
  private let interest: Interest
  private let tell: (Event) -> Void
  private var owner: NameOwner?
  private var orientationDidChange: Slot?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?
  private var pendingCall: Slot?
  /// Nil until the daemon has answered with all properties, which contain every change that was announced before.
  private var screen: ScreenSnapshot?

  /// Adds the match rules.
  ///
  /// - Parameters:
  ///   - place: the bus.
  ///   - bus: the connection to it.
  ///   - interest: what is wanted of the daemon.
  ///   - loop: the loop of this thread.
  ///   - tell: receives what happens.
  /// - Throws: `BusError` if the bus does not work.
  package init(
    _ place: DaemonBus, _ bus: consuming Bus, for interest: Interest, loop: EventLoop,
    tell: @escaping (Event) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.place = place
    self.interest = interest
    self.tell = tell
    try self.bus.attach(to: loop)
    owner = try NameOwner(of: DBusNames.service, on: self.bus) { [unowned self] in ownerChanged() }
    orientationDidChange = try match("OrientationDidChange", of: DBusNames.deviceInterface) {
      [unowned self] signal throws(BusError) in try turned(signal)
    }
    propertiesChanged = try match("PropertiesChanged", of: "org.freedesktop.DBus.Properties") {
      [unowned self] signal throws(BusError) in try changed(signal)
    }
    disconnected = try self.bus.onDisconnected {
      tell(.failed("the connection to the \(place.name) bus has ended"))
    }
  }

  /// Starts to tell; the bus starts the daemon if it does not run.
  ///
  /// - Throws: `BusError` if the bus does not work.
  package func start() throws(BusError) {
    if let owner = owner?.uniqueName { return appeared(owner) }
    pendingCall = try bus.callAsync(try bus.startCall()) { [unowned self] reply in
      guard let error = reply.error, daemon == nil else { return }
      let reason =
        error.name == BusError.Name.serviceUnknown ? "" : ", and could not be started: \(error.message)"
      tell(
        .waiting(
          .notStarted,
          "orientationd does not run on the \(place.name) bus\(reason); waiting for it (\(place.startHint))"))
    }
  }

  /// Ends the subscription, without waiting for the answer.
  package func end() {
    guard let daemon else { return }
    self.daemon = nil
    guard interest == .deviceAndScreen else { return }
    // If this fails, the subscription ends when this client leaves the bus.
    do throws(BusError) {
      try bus.send(try bus.deviceCall("EndGeneratingDeviceOrientationNotifications", to: daemon))
    } catch {}
  }

  /// Calls a method of the running daemon, without waiting for the answer.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - interface: its interface.
  ///   - isInteractive: whether the user may be asked for a password.
  ///   - arguments: appends the arguments.
  ///   - answered: receives the answer, which may be an error.
  /// - Returns: whether it was called; not without a daemon.
  package func call(
    _ member: String, of interface: String, isInteractive: Bool,
    _ arguments: (borrowing Message) throws(BusError) -> Void,
    answered: @escaping (borrowing Message) -> Void
  ) -> Bool {
    guard let daemon else { return false }
    return sending { () throws(BusError) in
      let call = try bus.daemonCall(member, of: interface, to: daemon)
      try arguments(call)
      if isInteractive { try call.allowInteractiveAuthorization() }
      try bus.callAsync(
        call, timeoutSeconds: isInteractive ? Self.secondsToAuthenticate : nil, reply: answered
      )
      .detach()
    }
  }

  // MARK: Signals

  private func match(
    _ member: String, of interface: String, _ handler: @escaping (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) -> Slot {
    try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',interface='\(interface)',"
        + "member='\(member)'"
    ) { [unowned self] signal in if owner?.hasSent(signal) == true { read(signal, handler) } }
  }

  private func read(
    _ message: borrowing Message, _ body: (borrowing Message) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      try body(message)
    } catch {
      tell(
        .misunderstood(
          "the daemon sent something that this orientationctl does not understand: \(error)"))
    }
  }

  private func turned(_ signal: borrowing Message) throws(BusError) {
    let raw = try signal.readUInt32()
    try signal.skip("s")
    let microseconds = try signal.readUInt64()
    tell(
      .turned(
        DeviceOrientation(rawValue: raw) ?? .unknown,
        decidedAt: BootTime(nanoseconds: Int64(clamping: microseconds) &* 1000)))
  }

  private func changed(_ signal: borrowing Message) throws(BusError) {
    switch try signal.readString() {
    case DBusNames.deviceInterface where interest == .deviceAndScreen:
      let before = device
      try device.update(from: signal)
      tell(.deviceChanged(from: before, to: device))
    case DBusNames.screenInterface:
      guard var changed = screen else { return }
      try changed.update(from: signal)
      show(changed)
    default: break
    }
  }

  private func show(_ screen: ScreenSnapshot) {
    self.screen = screen
    tell(.screen(screen))
  }

  // MARK: The daemon starts and stops

  private func ownerChanged() {
    guard owner?.uniqueName != daemon else { return }
    if daemon != nil {
      daemon = nil
      pendingCall = nil
      screen = nil
      tell(.waiting(.stopped, "orientationd has stopped; waiting for it to start again"))
    }
    if let owner = owner?.uniqueName { appeared(owner) }
  }

  private func appeared(_ owner: String) {
    daemon = owner
    device = DeviceSnapshot()
    screen = nil
    tell(.appeared)
    guard interest == .deviceAndScreen else { return readScreen(of: owner) }
    ask(try bus.deviceCall("BeginGeneratingDeviceOrientationNotifications", to: owner)) {
      [unowned self] _ in readDevice(of: owner)
    }
  }

  private func readDevice(of owner: String) {
    ask(try bus.propertiesCall(of: DBusNames.deviceInterface, to: owner)) { [unowned self] reply in
      read(reply) { reply throws(BusError) in try device.update(from: reply) }
      tell(.device(device))
      readScreen(of: owner)
    }
  }

  private func readScreen(of owner: String) {
    ask(try bus.propertiesCall(of: DBusNames.screenInterface, to: owner)) { [unowned self] reply in
      read(reply) { reply throws(BusError) in
        var screen = ScreenSnapshot()
        try screen.update(from: reply)
        show(screen)
      }
    }
  }

  private func ask(
    _ call: @autoclosure () throws(BusError) -> Message, _ answered: @escaping (borrowing Message) -> Void
  ) {
    _ = sending { () throws(BusError) in
      pendingCall = try bus.callAsync(try call()) { [unowned self] reply in
        // Some buses deliver replies to no call of ours. One of an earlier owner is out of date.
        guard !reply.isFromConnection || owner?.hasSent(reply) == true else { return }
        if let error = reply.error { return callFailed(error) }
        answered(reply)
      }
    }
  }

  private func sending(_ body: () throws(BusError) -> Void) -> Bool {
    do throws(BusError) {
      try body()
      return true
    } catch {
      tell(.failed("cannot contact orientationd: \(error)"))
      return false
    }
  }

  private func callFailed(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.disconnected:
      break  // The daemon has stopped meanwhile; NameOwnerChanged reports that.
    // NoReply is what libsystemd reports after its timeout, and the bus after the daemon's end: it refuses what is asked then.
    case BusError.Name.timeout, BusError.Name.noReply:
      tell(.waiting(.silent, "orientationd does not answer; asking again"))
      // If it has counted the first subscription, too, both end with this client.
      if let daemon { appeared(daemon) }
    default: tell(.failed("orientationd refuses the request: \(error)"))
    }
  }
}
