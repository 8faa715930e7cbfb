// SPDX-License-Identifier: Apache-2.0

// What an app wants of the daemon lasts longer than a daemon, and longer than a connection: notifications, and holds. This keeps the
// wishes, and repeats them to each new daemon, which NameOwnerChanged reports. The order is each time: begin, hold, then read all
// properties, so that no change in between is missed. These calls have no time limit: a daemon that hangs carries them out later.

import Orientation
internal import Systemd

/// The conversation with the daemon, on the thread of the bus.
final class DaemonSession {
  /// How long to wait for a hold, in seconds: as long as D-Bus does.
  private static let patienceSeconds = 25.0
  /// How long to wait before a call that takes something back is repeated, in seconds: the daemon counts calls per second.
  private static let cancelRetrySeconds = 1.0
  /// How long to wait before a hold that a new daemon has refused is requested again, in seconds.
  private static let holdRetrySeconds = 5.0

  private let address: Bus.Address
  private let publish: (DaemonSnapshot) -> Void
  private let executor = BusExecutor.shared

  private var connection: BusConnection?
  private var reconnection = Reconnection()
  private var snapshot = DaemonSnapshot() { didSet { publish(snapshot) } }
  /// Why there is no daemon; nil if there is one, or it was just called.
  private var absence: OrientationError? { didSet { updateState() } }
  /// Why the daemon does not notify this app; nil if it does, or need not.
  private var refusal: OrientationError? { didSet { updateState() } }
  /// Whether the app wants notifications.
  private var wantsNotifications = false
  /// The daemon that has been called to begin, by its unique name.
  private var begunAt: String?
  /// Counts the begins.
  private var lastBegin = 0
  private var holds = HeldOrientations()
  private var holdRetry: Deadline?

  /// Creates one that does nothing until it is used.
  ///
  /// - Parameters:
  ///   - address: the bus.
  ///   - publish: receives what the daemon has sent.
  init(at address: Bus.Address, publish: @escaping (DaemonSnapshot) -> Void) {
    self.address = address
    self.publish = publish
  }

  // MARK: What the app wants

  /// Connects to the bus, and has it start the daemon, unless there is a connection.
  func contact() {
    guard connection == nil else { return }
    if snapshot.state == .notContacted { snapshot.state = .connecting }
    connect()
  }

  /// Begins or ends the notifications.
  func setWantsNotifications(_ wanted: Bool) {
    wantsNotifications = wanted
    contact()
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
      disconnected: { [weak self] in self?.disconnected() })
  }

  private func connect() {
    do throws(BusError) {
      let connection = try BusConnection(to: address, on: executor, listener: listener)
      self.connection = connection
      reconnection.succeeded()
      if connection.daemon == nil { startDaemon(by: connection) }
      daemonChanged()
    } catch {
      absence = OrientationError(error)
      reconnectLater()
    }
  }

  private func disconnected() {
    forgetDaemon()
    absence = OrientationError(.noBus)
    // Not now: the connection's own handler has called this.
    executor.afterwards { [weak self] in
      self?.connection = nil
      self?.reconnectLater()
    }
  }

  private func reconnectLater() {
    reconnection.schedule(on: executor) { [weak self] in self?.contact() }
  }

  // MARK: The daemon

  private func daemonChanged() {
    guard let connection else { return }
    forgetDaemon()
    guard let daemon = connection.daemon else {
      if !connection.isStartingDaemon { absence = OrientationError(.noDaemon) }
      return
    }
    absence = nil
    adjustNotifications()
    takeHolds()
    if begunAt == nil { read(DBusNames.deviceInterface, of: daemon) }
    read(DBusNames.screenInterface, of: daemon)
  }

  private func forgetDaemon() {
    begunAt = nil
    refusal = nil
    holds.ended()
    snapshot.device = DeviceSnapshot()
    snapshot.isRead = false
    updateState()
  }

  private func updateState() {
    if let error = absence ?? refusal {
      snapshot.state = .unavailable(error)
    } else {
      snapshot.state = snapshot.isRead ? .running : .connecting
    }
  }

  /// Has the bus start the daemon; NameOwnerChanged follows.
  ///
  /// This happens only at the begin of a connection: a daemon that is stopped later is not started again against the administrator's will.
  private func startDaemon(by connection: BusConnection) {
    connection.startDaemon { [weak self] error in
      guard let self, self.connection?.daemon == nil else { return }
      absence = OrientationError(error)
    }
  }

  private func adjustNotifications() {
    guard let connection, let daemon = connection.daemon else { return }
    if wantsNotifications, begunAt != daemon {
      begunAt = daemon
      lastBegin += 1
      let begin = lastBegin
      connection.send(.device("BeginGeneratingDeviceOrientationNotifications"), to: daemon) { [weak self] _ in
        self?.begun(begin, at: daemon, refusal: nil)
      } failed: { [weak self] error in
        self?.begun(begin, at: daemon, refusal: OrientationError(error))
      }
      read(DBusNames.deviceInterface, of: daemon)
    } else if !wantsNotifications, begunAt == daemon {
      begunAt = nil
      refusal = nil
      cancel(.device("EndGeneratingDeviceOrientationNotifications")) {}
      // It is read again at the next begin.
      snapshot.device.orientation = .unknown
    }
  }

  private func begun(_ begin: Int, at daemon: String, refusal: OrientationError?) {
    // If the daemon has ended, NameOwnerChanged reports what follows. An answer may be to a begin that was ended since.
    guard begin == lastBegin, begunAt == daemon, connection?.daemon == daemon else { return }
    self.refusal = refusal
    if refusal != nil { begunAt = nil }
  }

  private func read(_ interface: String, of daemon: String) {
    let call = DaemonCall(
      member: "GetAll", interface: "org.freedesktop.DBus.Properties", arguments: [.string(interface)],
      authorization: .silentWithoutLimit)
    connection?.send(call, to: daemon) { [weak self] reply throws(BusError) in
      guard let self, connection?.daemon == daemon else { return }
      try update(interface, from: reply)
      if interface == DBusNames.screenInterface { snapshot.isRead = true }
      updateState()
    } failed: { [weak self] error in
      guard let self, connection?.daemon == daemon else { return }
      absence = OrientationError(error)
    }
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
  func hold(_ request: HeldOrientations.Request, _ answer: PendingAnswer<HeldOrientations.ID>) {
    let deadline = Deadline(on: executor, seconds: Self.patienceSeconds) {
      answer.fail(OrientationError(kind: .noAnswer, message: "the daemon does not answer"))
    }
    send(request.call) { [weak self] reply throws(BusError) in
      let number = try reply.readUInt32()
      deadline.cancel()
      guard let self else { return answer.fail(OrientationError(.noBus)) }
      let hold = holds.add(request, number: number)
      if !answer.succeed(hold) { release(hold) {} }
    } failed: { error in
      deadline.cancel()
      answer.fail(OrientationError(error))
    }
  }

  /// Releases a hold, and calls back when the daemon has heard that, or does not answer.
  func release(_ hold: HeldOrientations.ID, answered: @escaping () -> Void) {
    var waiting: (() -> Void)? = answered
    let stopWaiting = {
      let answered = waiting
      waiting = nil
      answered?()
    }
    switch holds.remove(hold, whenAnswered: stopWaiting) {
    case .nothing: stopWaiting()
    // The hold is released whenever the daemon grants it.
    case .later: later(seconds: Self.patienceSeconds, stopWaiting)
    case .release(let number):
      release(number: number, answered: stopWaiting)
      takeHolds()
    }
  }

  private func release(number: UInt32, answered: @escaping () -> Void) {
    cancel(.screen("ReleaseInterfaceOrientations", .uint32(number)), answered: answered)
  }

  /// Makes a call that takes something back, again and again if the daemon has too much to do.
  private func cancel(_ call: DaemonCall, answered: @escaping () -> Void) {
    guard let connection, let daemon = connection.daemon else { return answered() }
    connection.send(call, to: daemon) { _ in
      answered()
    } failed: { [weak self] error in
      guard let self, error.name == ServiceErrorName.limitsExceeded else { return answered() }
      later(seconds: Self.cancelRetrySeconds) { [weak self] in
        // A daemon that has started since does not know of it.
        guard let self, self.connection?.daemon == daemon else { return answered() }
        cancel(call, answered: answered)
      }
    }
  }

  /// Does something once after some time; at once if there are no descriptors left for a timer.
  private func later(seconds: Double, _ work: @escaping () -> Void) {
    var deadline: Deadline?
    deadline = Deadline(on: executor, seconds: seconds) {
      work()
      withExtendedLifetime(deadline) { deadline = nil }
    }
    if deadline?.isWaiting == false { executor.afterwards(work) }
  }

  /// Takes the holds that a daemon before had, and those that were waiting for the user to support their orientations.
  private func takeHolds() {
    holdRetry = nil
    guard let connection, let daemon = connection.daemon else { return }
    for (hold, request) in holds.missing {
      holds.requested(hold, from: daemon)
      connection.send(request.call, to: daemon) { [weak self] reply throws(BusError) in
        let number = try reply.readUInt32()
        guard let self, let released = holds.granted(hold, number: number, by: daemon) else { return }
        release(number: number, answered: released)
        takeHolds()
      } failed: { [weak self] error in
        self?.refused(hold, by: daemon, because: error)
      }
    }
  }

  private func refused(_ hold: HeldOrientations.ID, by daemon: String, because error: BusError) {
    holds.failed(hold, at: daemon)?()
    // A user who supports none of the orientations may do so later, and the daemon reports that.
    guard error.name != ServiceErrorName.unsupportedOrientation, holdRetry == nil else { return }
    holdRetry = Deadline(on: executor, seconds: Self.holdRetrySeconds) { [weak self] in self?.takeHolds() }
  }
}
