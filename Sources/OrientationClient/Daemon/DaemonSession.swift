// SPDX-License-Identifier: Apache-2.0

// What an app wants of the daemon lasts longer than a daemon, and longer than a connection: notifications, and holds. This keeps the
// wishes, and gives them to the DaemonWatch of each connection, which repeats them to each daemon. The events of the watch become a
// DaemonSnapshot, which is published.

import Orientation
internal import Systemd

/// The conversation with the daemon, on the thread of the bus.
final class DaemonSession {
  /// How long to wait before a hold that a new daemon has refused is requested again, in seconds.
  private static let holdRetrySeconds = 5.0
  /// How long to wait before a bus that has ended, or is not there yet, is tried again, in seconds: each time twice as long.
  private static let reconnectionSeconds = (shortest: 1.0, longest: 30.0)

  private let place: DaemonBus
  private let publish: (DaemonSnapshot) -> Void
  private let executor = BusExecutor.shared

  private var watch: DaemonWatch?
  private var reconnection: Deadline?
  private var pause = reconnectionSeconds.shortest
  private var snapshot = DaemonSnapshot() { didSet { publish(snapshot) } }
  /// Why there is no daemon, or it does not notify this app; nil if nothing is wrong, or a daemon was just called.
  private var problem: OrientationError? { didSet { updateState() } }
  /// Whether the app wants notifications.
  private var wantsNotifications = false
  private let holds = HeldOrientations()
  private var holdRetry: Deadline?

  /// Creates one that does nothing until it is used.
  ///
  /// - Parameters:
  ///   - place: the bus.
  ///   - publish: receives what the daemon has sent.
  init(at place: DaemonBus, publish: @escaping (DaemonSnapshot) -> Void) {
    self.place = place
    self.publish = publish
  }

  // MARK: What the app wants

  /// Connects to the bus, and has it start the daemon, unless there is a connection.
  func contact() {
    guard watch == nil else { return }
    if snapshot.state == .notContacted { snapshot.state = .connecting }
    do throws(BusError) {
      let bus = try place.connect()
      try executor.attach(bus)
      let watch = try DaemonWatch(place, bus, for: .wishes, loop: executor.eventLoop(), holds: holds) {
        [weak self] event in self?.heard(event)
      }
      self.watch = watch
      reconnection = nil
      pause = Self.reconnectionSeconds.shortest
      problem = nil
      watch.setWantsDevice(wantsNotifications)
      watch.start()
    } catch {
      problem = OrientationError(error)
      reconnectLater()
    }
  }

  /// Begins or ends the notifications.
  func setWantsNotifications(_ wanted: Bool) {
    wantsNotifications = wanted
    contact()
    watch?.setWantsDevice(wanted)
    guard !wanted else { return }
    snapshot.device = DeviceSnapshot()
    // What was read shows that the daemon refuses nothing but notifications.
    if snapshot.isRead { problem = nil }
  }

  /// Calls the daemon, which the bus starts if it does not run.
  func send(
    _ call: DaemonCall, answered: @escaping (borrowing Message) throws(BusError) -> Void,
    failed: @escaping (BusError) -> Void
  ) {
    contact()
    guard let watch else { return failed(.noBus) }
    watch.send(call, answered: answered, failed: failed)
  }

  /// Takes a hold, and takes it again from each later daemon.
  func hold(_ request: HoldRequest, _ answer: PendingAnswer<HeldOrientations.ID>) {
    contact()
    guard let watch else { return answer.fail(OrientationError(.noBus)) }
    let deadline = Deadline(on: executor.eventLoop(), seconds: DaemonWatch.patienceSeconds) {
      answer.fail(OrientationError(kind: .noAnswer, message: "the daemon does not answer"))
    }
    watch.hold(request) { [weak self] result in
      deadline.cancel()
      switch result {
      case .success(let hold): if !answer.succeed(hold) { self?.release(hold) {} }
      case .failure(let error): answer.fail(OrientationError(error))
      }
    }
  }

  /// Releases a hold, and calls back when the daemon has heard that, or does not answer.
  func release(_ hold: HeldOrientations.ID, answered: @escaping () -> Void) {
    guard let watch else {
      _ = holds.remove(hold) {}
      return answered()
    }
    watch.release(hold, answered: answered)
  }

  // MARK: What the watch tells

  private func heard(_ event: DaemonWatch.Event) {
    switch event {
    case .appeared: forget(nil)
    case .device(let device):
      problem = nil
      snapshot.device = device
    case .deviceChanged(_, let device): snapshot.device = device
    case .turned: break
    case .screen(let screen):
      snapshot.screen = screen
      snapshot.isRead = true
      updateState()
    case .heldAgain(let error): if let error { refused(error) }
    case .waiting(.silent, _): break  // It has ended, which is told next.
    case .waiting(_, let problem): forget(problem.error)
    // A daemon of another version: the properties that this library knows keep their values.
    case .misunderstood: break
    case .refused(let problem): self.problem = OrientationError(problem.error)
    case .disconnected(let problem): disconnected(by: problem.error)
    }
  }

  private func forget(_ problem: BusError?) {
    snapshot.device = DeviceSnapshot()
    snapshot.isRead = false
    self.problem = problem.map { OrientationError($0) }
  }

  private func updateState() {
    let state: DaemonState
    if let problem { state = .unavailable(problem) } else { state = snapshot.isRead ? .running : .connecting }
    if snapshot.state != state { snapshot.state = state }
  }

  private func refused(_ error: BusError) {
    // A user who supports none of the orientations may do so later, and the daemon reports that.
    guard error.name != ServiceErrorName.unsupportedOrientation, holdRetry == nil else { return }
    holdRetry = Deadline(on: executor.eventLoop(), seconds: Self.holdRetrySeconds) { [weak self] in
      self?.holdRetry = nil
      self?.watch?.takeHolds()
    }
  }

  private func disconnected(by error: BusError) {
    forget(error)
    let ended = watch
    // Not now: the connection's own handler has called this.
    executor.afterwards { [weak self] in
      guard let self, watch != nil, watch === ended else { return }
      watch = nil
      // The daemon drops them with the connection. The watch knows only of an end that the bus has reported.
      holds.ended()
      reconnectLater()
    }
  }

  private func reconnectLater() {
    // If there are no descriptors left for a timer, the next call of the app tries again.
    reconnection = Deadline(on: executor.eventLoop(), seconds: pause) { [weak self] in self?.contact() }
    pause = min(2 * pause, Self.reconnectionSeconds.longest)
  }
}
