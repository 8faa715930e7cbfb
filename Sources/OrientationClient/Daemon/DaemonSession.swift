// SPDX-License-Identifier: Apache-2.0

// What an app wants of the daemon lasts longer than a daemon, and longer than a connection: notifications, and holds. This keeps the
// wishes, and repeats them to each new daemon. NameOwnerChanged reports it. At each one the order is: begin, then read all properties,
// so that no change in between is missed.

internal import Orientation
internal import Systemd

/// The conversation with the daemon, on the thread of the bus.
final class DaemonSession {
  /// How long to wait for a daemon, in seconds: as long as D-Bus does.
  private static let patienceSeconds = 25.0

  private let address: Bus.Address
  private let executor: BusExecutor
  private let publish: (DaemonSnapshot) -> Void

  private var connection: BusConnection?
  private var reconnection = Reconnection()
  private var snapshot = DaemonSnapshot() { didSet { publish(snapshot) } }
  /// Whether the app wants notifications.
  private var wantsNotifications = false
  /// The daemon that has been called to begin, by its unique name.
  private var begunAt: String?
  private(set) var holds = HeldOrientations()

  /// Creates one that does nothing until it is used.
  ///
  /// - Parameters:
  ///   - address: the bus.
  ///   - executor: its thread, on which this is used.
  ///   - publish: receives what the daemon has sent.
  init(at address: Bus.Address, on executor: BusExecutor, publish: @escaping (DaemonSnapshot) -> Void) {
    self.address = address
    self.executor = executor
    self.publish = publish
  }

  // MARK: What the app wants

  /// Connects to the bus, and has it start the daemon, if that has not happened yet.
  func contact() {
    guard snapshot.state == .notContacted else { return }
    snapshot.state = .connecting
    connect()
  }

  /// Begins or ends the notifications.
  func setWantsNotifications(_ wanted: Bool) {
    contact()
    wantsNotifications = wanted
    adjustNotifications()
  }

  /// Calls the daemon, which the bus starts if it does not run.
  func send(
    _ call: DaemonCall, answered: @escaping (borrowing Message) throws(BusError) -> Void,
    failed: @escaping (BusError) -> Void
  ) {
    contact()
    guard let connection else { return failed(.noBus) }
    connection.send(call, answered: answered, failed: failed)
  }

  // MARK: The bus

  private var listener: BusConnection.Listener {
    BusConnection.Listener(
      daemonChanged: { [weak self] in self?.daemonChanged() },
      propertiesChanged: { [weak self] message in self?.propertiesChanged(message) },
      disconnected: { [weak self] in self?.disconnected(because: .noBus) })
  }

  private func connect() {
    do throws(BusError) {
      connection = try BusConnection(to: address, on: executor, listener: listener)
      reconnection.succeeded()
      daemonChanged()
    } catch {
      disconnected(because: error)
    }
  }

  private func disconnected(because error: BusError) {
    forgetDaemon()
    snapshot.state = .unavailable(OrientationError(error))
    // Not now: its own handler may have called this.
    executor.afterwards { [weak self] in
      guard let self else { return }
      connection = nil
      reconnection.schedule(on: executor) { [weak self] in self?.connect() }
    }
  }

  // MARK: The daemon

  private func daemonChanged() {
    guard let connection else { return }
    forgetDaemon()
    guard let daemon = connection.daemon else { return startDaemon() }
    adjustNotifications()
    // Before the properties are read, so that the first values are those with the holds.
    takeHolds()
    read(DBusNames.deviceInterface, of: daemon)
    read(DBusNames.screenInterface, of: daemon)
  }

  private func forgetDaemon() {
    begunAt = nil
    holds.ended()
    snapshot.device = DeviceSnapshot()
    if snapshot.state == .running { snapshot.state = .connecting }
  }

  /// Has the bus start the daemon; NameOwnerChanged follows.
  ///
  /// This happens once for each connection: a daemon that was stopped later is not started again against the administrator's will.
  private func startDaemon() {
    guard let connection, !connection.hasStartedDaemon else { return }
    connection.startDaemon { [weak self] error in
      guard let self, self.connection?.daemon == nil else { return }
      snapshot.state = .unavailable(OrientationError(error))
    }
  }

  private func adjustNotifications() {
    guard let connection, let daemon = connection.daemon else { return }
    if wantsNotifications, begunAt != daemon {
      begunAt = daemon
      let begin = DaemonCall(
        member: "BeginGeneratingDeviceOrientationNotifications", interface: DBusNames.deviceInterface)
      connection.send(begin, to: daemon, answered: { _ in }) { [weak self] error in
        self?.refused(error, by: daemon)
      }
    } else if !wantsNotifications, begunAt == daemon {
      begunAt = nil
      let end = DaemonCall(
        member: "EndGeneratingDeviceOrientationNotifications", interface: DBusNames.deviceInterface)
      connection.send(end, to: daemon, answered: { _ in }, failed: { _ in })
    }
  }

  private func read(_ interface: String, of daemon: String) {
    guard let connection else { return }
    let call = DaemonCall(
      member: "GetAll", interface: "org.freedesktop.DBus.Properties", arguments: [.string(interface)])
    connection.send(call, to: daemon) { [weak self] reply throws(BusError) in
      guard let self, connection.daemon == daemon else { return }
      try update(interface, from: reply)
      if interface == DBusNames.screenInterface { snapshot.state = .running }
    } failed: { [weak self] error in
      self?.refused(error, by: daemon)
    }
  }

  private func refused(_ error: BusError, by daemon: String) {
    // If the daemon has ended, NameOwnerChanged tells what follows.
    guard connection?.daemon == daemon else { return }
    snapshot.state = .unavailable(OrientationError(error))
    begunAt = nil
  }

  private func propertiesChanged(_ message: borrowing Message) {
    do throws(BusError) {
      try update(try message.readString(), from: message)
    } catch {}  // A daemon of another version: the properties that this library knows keep their values.
  }

  private func update(_ interface: String, from message: borrowing Message) throws(BusError) {
    var updated = snapshot
    switch interface {
    case DBusNames.deviceInterface: try updated.device.update(from: message)
    case DBusNames.screenInterface: try updated.screen.update(from: message)
    default: return
    }
    let supported = snapshot.screen.supported
    snapshot = updated
    if snapshot.screen.supported != supported { takeHolds() }
  }

  // MARK: Holds

  /// Takes a hold, and takes it again from each later daemon.
  ///
  /// The call itself has no time limit: a daemon that hangs would grant the hold later, and nobody would know its number.
  func hold(_ request: HeldOrientations.Request, _ answer: PendingAnswer<HeldOrientations.ID>) {
    let deadline = Deadline(on: executor, seconds: Self.patienceSeconds) {
      answer.fail(OrientationError(kind: .noAnswer, message: "the daemon does not answer"))
    }
    send(request.call) { [weak self] reply throws(BusError) in
      let number = try reply.readUInt32()
      deadline.cancel()
      guard let self else { return }
      let hold = holds.add(request, number: number)
      if !answer.succeed(hold) { release(hold) {} }
    } failed: { error in
      deadline.cancel()
      answer.fail(OrientationError(error))
    }
  }

  /// Releases a hold, and calls back when the daemon has heard that.
  func release(_ hold: HeldOrientations.ID, answered: @escaping () -> Void) {
    guard let number = holds.remove(hold), let connection, let daemon = connection.daemon else {
      return answered()
    }
    connection.send(.screen("ReleaseInterfaceOrientations", .uint32(number)), to: daemon) { _ in
      answered()
    } failed: { _ in
      answered()
    }
  }

  /// Takes the holds that a daemon before had, and those that were waiting for the user to support their orientations.
  private func takeHolds() {
    guard let connection, let daemon = connection.daemon else { return }
    for (hold, request) in holds.missing {
      holds.requested(hold)
      connection.send(request.call, to: daemon) { [weak self] reply throws(BusError) in
        self?.taken(hold, number: try reply.readUInt32(), by: daemon)
      } failed: { [weak self] _ in
        self?.holds.failed(hold)
      }
    }
  }

  private func taken(_ hold: HeldOrientations.ID, number: UInt32, by daemon: String) {
    guard connection?.daemon == daemon, !holds.granted(hold, number: number) else { return }
    // It was released meanwhile.
    connection?.send(
      .screen("ReleaseInterfaceOrientations", .uint32(number)), to: daemon, answered: { _ in },
      failed: { _ in })
  }
}
