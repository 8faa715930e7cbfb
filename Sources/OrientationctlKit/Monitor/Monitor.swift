// SPDX-License-Identifier: Apache-2.0

// Everything waits in one event loop, so that a signal ends it at once even if the daemon hangs. Who serves the bus name
// is followed with NameOwnerChanged: each new owner is asked for notifications and for its present state, in this order,
// so that no change falls in between; what others say in its name is passed over. The bus is asked to start the daemon once, at
// the beginning.

import Glibc
import IIO
import Orientation
import OrientationClient
import Systemd

/// Listens to the daemon and prints what it says.
final class Monitor {
  private let options: BusOptions
  private let printer: ChangePrinter
  private let loop: EventLoop
  private let bus: Bus
  private var ends: MonitorStopConditions?
  private var owner: NameOwner?
  private var orientationDidChange: Slot?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?
  private var pendingCall: Slot?

  /// The unique name of the daemon that is listened to; nil while there is none.
  private var daemon: String?
  /// Whether there was one at any time.
  private var hasMetDaemon = false
  private var device = DeviceSnapshot()
  /// Nil until the daemon has told all of it: a change that comes before is part of that.
  private var screen: ScreenSnapshot?
  private var failure: CommandError?

  /// Connects to the bus and listens.
  ///
  /// - Parameters:
  ///   - options: which bus.
  ///   - printer: gets the changes.
  ///   - seconds: when to end; nil goes on.
  /// - Throws: ``CommandError`` when there is no bus.
  init(options: BusOptions, printer: ChangePrinter, seconds: Double?) throws(CommandError) {
    self.options = options
    self.printer = printer
    bus = try options.connect()
    do throws(SystemdError) {
      loop = try EventLoop()
      ends = try MonitorStopConditions(loop: loop, seconds: seconds) { [unowned self] in ended(by: $0) }
    } catch {
      throw CommandError("the event loop does not work: \(error)")
    }
    do throws(BusError) {
      try bus.attach(to: loop)
      try listen()
    } catch {
      throw CommandError("cannot listen to the \(options.name) bus: \(error)")
    }
  }

  /// Prints changes until something ends it.
  ///
  /// - Throws: ``CommandError`` where the bus has gone, or less was printed than was asked for.
  func run() throws(CommandError) {
    do throws(BusError) {
      if let owner = owner?.uniqueName {
        daemonAppeared(owner)
      } else {
        try startDaemon()
      }
    } catch {
      throw CommandError("the \(options.name) bus does not answer: \(error)")
    }
    do throws(SystemdError) {
      _ = try loop.run()
    } catch {
      throw CommandError("the event loop does not work: \(error)")
    }
    if let failure { throw failure }
  }

  // MARK: What the bus says

  private func listen() throws(BusError) {
    owner = try NameOwner(of: DBusNames.service, on: bus) { [unowned self] in ownerChanged() }
    orientationDidChange = try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',"
        + "interface='\(DBusNames.deviceInterface)',member='OrientationDidChange'"
    ) { [unowned self] message in reading(message) { () throws(BusError) in try orientationChanged(message) }
    }
    propertiesChanged = try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned self] message in reading(message) { () throws(BusError) in try propertiesChanged(message) } }
    disconnected = try bus.onDisconnected { [unowned self] in
      fail("the connection to the \(options.name) bus has ended")
    }
  }

  /// Reads a message of the daemon; what cannot be read comes from a daemon of another version.
  private func reading(_ message: borrowing Message, _ body: () throws(BusError) -> Void) {
    guard owner?.hasSent(message) == true else { return }
    do throws(BusError) {
      try body()
    } catch {
      StandardError.tell("the daemon sent something that this orientationctl does not understand: \(error)")
    }
  }

  private func ownerChanged() {
    guard owner?.uniqueName != daemon else { return }
    daemonVanished()
    if let owner = owner?.uniqueName { daemonAppeared(owner) }
  }

  private func orientationChanged(_ message: borrowing Message) throws(BusError) {
    let raw = try message.readUInt32()
    try message.skip("s")
    let microseconds = try message.readUInt64()
    show(
      DeviceOrientation(rawValue: raw) ?? .unknown,
      at: BootTime(nanoseconds: Int64(clamping: microseconds) &* 1000))
  }

  private func propertiesChanged(_ message: borrowing Message) throws(BusError) {
    switch try message.readString() {
    case DBusNames.deviceInterface:
      let before = device
      try device.update(from: message)
      tell(SensorNotice(from: before, to: device))
    case DBusNames.screenInterface:
      guard var changed = screen else { return }
      try changed.update(from: message)
      show(changed)
    default: break
    }
  }

  // MARK: The daemon comes and goes

  /// Has the bus start the daemon; NameOwnerChanged tells if that works.
  private func startDaemon() throws(BusError) {
    let call = try bus.methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "StartServiceByName")
    try call.append(DBusNames.service)
    try call.append(0 as UInt32)
    pendingCall = try bus.callAsync(call) { [unowned self] reply in
      guard let error = reply.error, daemon == nil else { return }
      let isUnknown = error.name == BusError.Name.serviceUnknown
      let reason = isUnknown ? "" : ", and could not be started: \(error.message)"
      StandardError.tell(
        "orientationd does not run on the \(options.name) bus\(reason); waiting for it (\(options.startHint))"
      )
    }
  }

  private func daemonAppeared(_ owner: String) {
    daemon = owner
    hasMetDaemon = true
    device = DeviceSnapshot()
    screen = nil
    ask { [unowned self] () throws(BusError) in
      let begin = try bus.deviceCall("BeginGeneratingDeviceOrientationNotifications", to: owner)
      pendingCall = try bus.callAsync(begin) { [unowned self] reply in
        if let error = reply.error { return refused(error) }
        askForState(of: owner)
      }
    }
  }

  private func askForState(of owner: String) {
    ask { [unowned self] () throws(BusError) in
      let call = try bus.propertiesCall(of: DBusNames.deviceInterface, to: owner)
      pendingCall = try bus.callAsync(call) { [unowned self] reply in
        if let error = reply.error { return refused(error) }
        reading(reply) { () throws(BusError) in try device.update(from: reply) }
        tell(SensorNotice(of: device))
        show(device.orientation, at: .now)
        askForScreen(of: owner)
      }
    }
  }

  private func askForScreen(of owner: String) {
    ask { [unowned self] () throws(BusError) in
      let call = try bus.propertiesCall(of: DBusNames.screenInterface, to: owner)
      pendingCall = try bus.callAsync(call) { [unowned self] reply in
        if let error = reply.error { return refused(error) }
        reading(reply) { () throws(BusError) in
          var told = ScreenSnapshot()
          try told.update(from: reply)
          show(told)
        }
      }
    }
  }

  private func ask(_ body: () throws(BusError) -> Void) {
    do throws(BusError) {
      try body()
    } catch {
      fail("cannot contact orientationd: \(error)")
    }
  }

  private func refused(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.noReply,
      BusError.Name.disconnected:
      break  // It has gone meanwhile, which its name's owner tells.
    case BusError.Name.timeout:
      StandardError.tell("orientationd does not answer; waiting for it")
    default:
      fail("orientationd refuses the request: \(error)")
    }
  }

  private func daemonVanished() {
    guard daemon != nil else { return }
    daemon = nil
    pendingCall = nil
    screen = nil
    StandardError.tell("orientationd has stopped; waiting for it to start again")
    // The screen stays as it was: nobody turns it now.
    show(.unknown, at: .now)
  }

  // MARK: What the person sees

  private func show(_ orientation: DeviceOrientation, at time: BootTime) {
    printing { () throws(OutputError) in
      try printer.print(OrientationChange(orientation: orientation, time: time))
    }
  }

  private func show(_ screen: ScreenSnapshot) {
    self.screen = screen
    printing { () throws(OutputError) in try printer.print(screen, at: .now) }
  }

  private func printing(_ body: () throws(OutputError) -> Void) {
    do throws(OutputError) {
      try body()
      if printer.isDone { end() }
    } catch {
      switch error {
      case .closed: end()
      case .failed: fail(error.description)
      }
    }
  }

  private func tell(_ news: SensorNotice?) {
    if let news { StandardError.tell(news.description) }
  }

  // MARK: The end

  private func ended(by reason: MonitorStopConditions.End) {
    if reason == .timeUp {
      guard hasMetDaemon else { return fail("orientationd did not run during that time") }
      if let shortfall = printer.shortfall { return fail(shortfall) }
    }
    end()
  }

  private func fail(_ reason: String) {
    failure = failure ?? CommandError(reason)
    end()
  }

  private func end() {
    endGenerating()
    loop.exit(0)
  }

  /// Without awaiting an answer; a daemon that cannot be told notices that this client has gone.
  private func endGenerating() {
    // At once: a loop that exits closes the bus.
    guard let daemon else { return }
    self.daemon = nil
    do throws(BusError) {
      try bus.send(try bus.deviceCall("EndGeneratingDeviceOrientationNotifications", to: daemon))
    } catch {}
  }
}
