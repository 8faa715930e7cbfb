// SPDX-License-Identifier: Apache-2.0

// All waiting is in one event loop, so a signal ends the monitor at once even if the daemon hangs. NameOwnerChanged reports
// each new owner of the bus name. The monitor subscribes to the notifications of that owner if its lines show the device, and then
// reads its present state: in this order, it misses no change in between. Signals from other senders are ignored. The bus is asked
// only once, at the beginning, to start the daemon.

import Glibc
import IIO
import Orientation
import OrientationClient
import Systemd

/// Follows the daemon, and prints each change; subscribes to notifications if the printer shows the device.
final class Monitor {
  /// The closest contact with a daemon so far.
  private enum Contact {
    /// None ran.
    case none
    /// One ran, and none has answered.
    case seen
    /// One has answered.
    case answered
  }

  /// How long a call waits if the user may have to type a password first, in seconds: the daemon answers after 120.
  private static let secondsToAuthenticate = 125.0

  private let options: BusOptions
  private let printer: any MonitorPrinter
  private let loop: EventLoop
  private let bus: Bus
  private var stopConditions: MonitorStopConditions?
  private var owner: NameOwner?
  private var orientationDidChange: Slot?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?
  private var pendingCall: Slot?

  /// The unique name of the running daemon; nil while none runs.
  private var daemon: String?
  private var contact = Contact.none
  private var device = DeviceSnapshot()
  /// Nil until the daemon has answered with all properties, which contain every change that was announced before.
  private var screen: ScreenSnapshot?
  private var failure: CommandError?

  /// Connects to the bus, and adds the match rules.
  ///
  /// - Parameters:
  ///   - options: the bus.
  ///   - printer: prints the changes.
  ///   - seconds: how long to run; nil is no limit.
  /// - Throws: ``CommandError`` if there is no bus.
  init(options: BusOptions, printer: any MonitorPrinter, seconds: Double?) throws(CommandError) {
    self.options = options
    self.printer = printer
    bus = try options.connect()
    do throws(SystemdError) {
      loop = try EventLoop()
      stopConditions = try MonitorStopConditions(loop: loop, seconds: seconds) { [unowned self] in
        ended(by: $0)
      }
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

  /// Prints changes until a stop condition is met.
  ///
  /// - Throws: ``CommandError`` if the connection to the bus has ended, fewer lines than the limit were printed in time, or no
  ///   daemon ran or answered.
  func run() throws(CommandError) {
    defer { printer.finish() }
    do throws(SystemdError) {
      try printer.start(on: loop, for: self)
    } catch {
      throw CommandError("the event loop does not work: \(error)")
    }
    do throws(BusError) {
      if let owner = owner?.uniqueName {
        daemonAppeared(owner)
      } else {
        showUnavailable()
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

  // MARK: Signals from the bus

  private func listen() throws(BusError) {
    owner = try NameOwner(of: DBusNames.service, on: bus) { [unowned self] in ownerChanged() }
    orientationDidChange = try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',"
        + "interface='\(DBusNames.deviceInterface)',member='OrientationDidChange'"
    ) { [unowned self] message in read(message) { () throws(BusError) in try orientationChanged(message) }
    }
    propertiesChanged = try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned self] message in read(message) { () throws(BusError) in try propertiesChanged(message) } }
    disconnected = try bus.onDisconnected { [unowned self] in
      showUnavailable()
      fail("the connection to the \(options.name) bus has ended")
    }
  }

  /// Reads a message of the daemon.
  ///
  /// One that cannot be read is reported: the daemon may have another version.
  private func read(_ message: borrowing Message, _ body: () throws(BusError) -> Void) {
    guard owner?.hasSent(message) == true else { return }
    do throws(BusError) {
      try body()
    } catch {
      printer.note("the daemon sent something that this orientationctl does not understand: \(error)")
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
      decidedAt: BootTime(nanoseconds: Int64(clamping: microseconds) &* 1000))
  }

  private func propertiesChanged(_ message: borrowing Message) throws(BusError) {
    switch try message.readString() {
    case DBusNames.deviceInterface:
      guard printer.showsDevice else { return }
      let before = device
      try device.update(from: message)
      print(SensorNotice(from: before, to: device))
      printer.show(device)
    case DBusNames.screenInterface:
      guard var changed = screen else { return }
      try changed.update(from: message)
      show(changed)
    default: break
    }
  }

  // MARK: The daemon starts and stops

  /// Asks the bus to start the daemon.
  ///
  /// NameOwnerChanged follows if it has started.
  private func startDaemon() throws(BusError) {
    pendingCall = try bus.callAsync(try bus.startCall()) { [unowned self] reply in
      guard let error = reply.error, daemon == nil else { return }
      let isUnknown = error.name == BusError.Name.serviceUnknown
      let reason = isUnknown ? "" : ", and could not be started: \(error.message)"
      printer.note(
        "orientationd does not run on the \(options.name) bus\(reason); waiting for it (\(options.startHint))"
      )
    }
  }

  private func daemonAppeared(_ owner: String) {
    daemon = owner
    if contact == .none { contact = .seen }
    device = DeviceSnapshot()
    screen = nil
    guard printer.showsDevice else { return requestScreen(of: owner) }
    send { [unowned self] () throws(BusError) in
      let begin = try bus.deviceCall("BeginGeneratingDeviceOrientationNotifications", to: owner)
      pendingCall = try bus.callAsync(begin) { [unowned self] reply in
        if let error = reply.error { return callFailed(error) }
        contact = .answered
        requestDevice(of: owner)
      }
    }
  }

  private func requestDevice(of owner: String) {
    send { [unowned self] () throws(BusError) in
      let call = try bus.propertiesCall(of: DBusNames.deviceInterface, to: owner)
      pendingCall = try bus.callAsync(call) { [unowned self] reply in
        if let error = reply.error { return callFailed(error) }
        read(reply) { () throws(BusError) in try device.update(from: reply) }
        printer.show(device)
        print(SensorNotice(of: device))
        show(device.orientation)
        requestScreen(of: owner)
      }
    }
  }

  private func requestScreen(of owner: String) {
    send { [unowned self] () throws(BusError) in
      let call = try bus.propertiesCall(of: DBusNames.screenInterface, to: owner)
      pendingCall = try bus.callAsync(call) { [unowned self] reply in
        if let error = reply.error { return callFailed(error) }
        contact = .answered
        read(reply) { () throws(BusError) in
          var screen = ScreenSnapshot()
          try screen.update(from: reply)
          show(screen)
        }
      }
    }
  }

  private func send(_ body: () throws(BusError) -> Void) {
    do throws(BusError) {
      try body()
    } catch {
      fail("cannot contact orientationd: \(error)")
    }
  }

  private func callFailed(_ error: BusError) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.disconnected:
      break  // The daemon has stopped meanwhile; NameOwnerChanged reports that.
    // NoReply is what libsystemd reports after its timeout, and the bus after the daemon's end: it refuses what is asked then.
    case BusError.Name.timeout, BusError.Name.noReply:
      printer.note("orientationd does not answer; asking again")
      showUnavailable()
      // If it has counted the first subscription, too, both end with this client.
      if let daemon { daemonAppeared(daemon) }
    default:
      showUnavailable()
      fail("orientationd refuses the request: \(error)")
    }
  }

  private func daemonVanished() {
    guard daemon != nil else { return }
    daemon = nil
    pendingCall = nil
    screen = nil
    printer.note("orientationd has stopped; waiting for it to start again")
    // Without a daemon, the screen stays as it is.
    show(.unknown)
    showUnavailable()
  }

  // MARK: Output

  private func show(_ orientation: DeviceOrientation, decidedAt sampleTime: BootTime? = nil) {
    printing { () throws(OutputError) in
      try printer.print(DeviceChange(orientation: orientation, time: .now, sampleTime: sampleTime))
    }
  }

  private func show(_ screen: ScreenSnapshot) {
    self.screen = screen
    printing { () throws(OutputError) in try printer.print(screen, at: .now) }
  }

  private func showUnavailable() {
    printing { () throws(OutputError) in try printer.printUnavailable() }
  }

  private func printing(_ body: () throws(OutputError) -> Void) {
    do throws(OutputError) {
      try body()
      if printer.isDone { end() }
    } catch {
      outputFailed(error)
    }
  }

  private func print(_ notice: SensorNotice?) {
    if let notice { printer.note(notice.description) }
  }

  // MARK: The end

  private func ended(by reason: MonitorStopConditions.End) {
    if reason == .timeUp {
      switch contact {
      case .none: return fail("orientationd did not run during that time")
      case .seen: return fail("orientationd did not answer during that time")
      case .answered: break
      }
      if let shortfall = printer.shortfall { return fail(shortfall) }
    }
    end()
  }

  private func fail(_ reason: String) {
    failure = failure ?? CommandError(reason)
    end()
  }

  func end() {
    endGenerating()
    loop.exit(0)
  }

  /// Ends the subscription, without waiting for the answer.
  ///
  /// If the call fails, the subscription ends when this client leaves the bus.
  private func endGenerating() {
    // Without waiting for the end of the loop.
    guard let daemon, printer.showsDevice else { return }
    self.daemon = nil
    do throws(BusError) {
      try bus.send(try bus.deviceCall("EndGeneratingDeviceOrientationNotifications", to: daemon))
    } catch {}
  }
}

extension Monitor: MonitorControl {
  func call(
    _ member: String, of interface: String, isInteractive: Bool,
    _ arguments: (borrowing Message) throws(BusError) -> Void,
    answered: @escaping (borrowing Message) -> Void
  ) -> Bool {
    guard let daemon else { return false }
    do throws(BusError) {
      let call = try bus.daemonCall(member, of: interface, to: daemon)
      try arguments(call)
      if isInteractive { try call.allowInteractiveAuthorization() }
      try bus.callAsync(
        call, timeoutSeconds: isInteractive ? Self.secondsToAuthenticate : nil, reply: answered
      )
      .detach()
      return true
    } catch {
      fail("cannot contact orientationd: \(error)")
      return false
    }
  }

  func outputFailed(_ error: OutputError) {
    switch error {
    case .closed: end()
    case .failed: fail(error.description)
    }
  }
}
