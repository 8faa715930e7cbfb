// SPDX-License-Identifier: Apache-2.0

// What an app wants of the daemon lasts longer than a daemon, and longer than a connection: notifications, and holds. This keeps the
// wishes, and gives them to the DaemonWatch of each connection, which repeats them to each daemon. The events of the watch become a
// DaemonSnapshot, which is published.

import DaemonClient
import Orientation
import Systemd

/// The daemon, for code that runs on any thread; the conversation with it is on the thread of the bus.
actor DaemonConnection {
  /// How long to wait before what the daemon has refused is requested again, in seconds: each time twice as long.
  private static let retrySeconds = (shortest: 5.0, longest: 60.0)
  /// How long to wait before a bus that has ended, or is not there yet, is tried again, in seconds: each time twice as long.
  private static let reconnectionSeconds = (shortest: 1.0, longest: 30.0)

  /// What the daemon has sent.
  nonisolated let published = Broadcast(DaemonSnapshot())

  private let place: Bus.Address
  private var watch: DaemonWatch?
  private var reconnection: Deadline?
  private var pause = reconnectionSeconds.shortest
  private var snapshot = DaemonSnapshot() { didSet { published.send(snapshot) } }
  /// Why there is no daemon, or it does not notify this app; nil if nothing is wrong, or a daemon was just called.
  private var problem: OrientationError? { didSet { updateState() } }
  /// Whether the app wants notifications.
  private var wantsNotifications = false
  private let holds = HeldOrientations()
  private var retry: Deadline?
  private var retryPause = retrySeconds.shortest
  /// What ends the wait of each call with an error, by its number.
  private var waits: [UInt64: (OrientationError) -> Void] = [:]
  private var lastWait: UInt64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { BusExecutor.shared.asUnownedSerialExecutor() }

  /// Creates one that does nothing until it is used.
  init(at place: Bus.Address) { self.place = place }

  // The connection belongs to the thread of the bus.
  isolated deinit {}

  // MARK: What the app wants

  /// Connects to the bus, and has it start the daemon, unless there is a connection.
  func contact() {
    guard watch == nil else { return }
    if snapshot.state == .notContacted { snapshot.state = .connecting }
    do throws(BusError) {
      let bus = try place.connect()
      try BusExecutor.shared.attach(bus)
      let loop = BusExecutor.shared.eventLoop()
      let watch = try DaemonWatch(place, bus, for: .wishes, loop: loop, holds: holds) { [weak self] event in
        guard let self else { return }
        assumeIsolated { $0.heard(event) }
        // The app may have dropped its last reference meanwhile, and the watch, which has called this, ends with the connection.
        BusExecutor.shared.afterwards { withExtendedLifetime(self) {} }
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
    if wanted { contact() }
    watch?.setWantsDevice(wanted)
    guard !wanted else { return }
    snapshot.device = DeviceSnapshot()
    // What was read shows that the daemon refuses nothing but notifications.
    if snapshot.isRead { problem = nil }
  }

  /// Calls a method that returns nothing; the bus starts the daemon if it does not run.
  func call(_ call: DaemonCall) async throws(OrientationError) {
    try await self.call(call) { _ throws(BusError) in }
  }

  /// Calls a method, and reads its answer.
  func call<Value: Sendable>(
    _ call: DaemonCall, reading: @escaping @Sendable (borrowing Message) throws(BusError) -> Value
  ) async throws(OrientationError) -> Value {
    try await result { watch, answer in
      watch.send(call) { reply throws(BusError) in
        _ = answer.succeed(try reading(reply))
      } failed: { error in
        answer.fail(OrientationError(error))
      }
    }
  }

  /// Takes a hold, and takes it again from each later daemon.
  ///
  /// If the task is cancelled, or the daemon takes too long, the hold is released when it is granted.
  func hold(_ request: HoldRequest) async throws(OrientationError) -> HeldOrientations.ID {
    try await result { watch, answer in
      let deadline = Deadline(on: BusExecutor.shared.eventLoop(), seconds: DaemonWatch.patienceSeconds) {
        let seconds = Int(DaemonWatch.patienceSeconds)
        answer.fail(OrientationError(kind: .noAnswer, message: "no answer to the hold within \(seconds) s"))
      }
      watch.hold(request) { [weak self] result in
        deadline.cancel()
        switch result {
        case .success(let hold):
          if !answer.succeed(hold) { self?.assumeIsolated { $0.release(hold) {} } }
        case .failure(let error): answer.fail(OrientationError(error))
        }
      }
    }
  }

  /// Releases a hold, and returns when the daemon has heard that, or does not answer.
  func release(_ hold: HeldOrientations.ID) async {
    lastWait += 1
    _ = await answer(to: lastWait) { answer in release(hold) { _ = answer.succeed(()) } }
  }

  private func release(_ hold: HeldOrientations.ID, answered: @escaping () -> Void) {
    guard let watch else {
      _ = holds.remove(hold) {}
      return answered()
    }
    watch.release(hold, answered: answered)
  }

  /// Waits for an answer, until the task is cancelled.
  private func result<Value: Sendable>(
    _ start: (DaemonWatch, PendingAnswer<Value>) -> Void
  ) async throws(OrientationError) -> Value {
    lastWait += 1
    let wait = lastWait
    let result: Result<Value, OrientationError> = await withTaskCancellationHandler {
      await answer(to: wait) { answer in
        // A task that was cancelled before this has called `cancel` too early.
        guard !Task.isCancelled else { return answer.fail(.cancelled) }
        contact()
        guard let watch else { return answer.fail(OrientationError(.noBus)) }
        start(watch, answer)
      }
    } onCancel: {
      Task(executorPreference: BusExecutor.shared) { await self.cancel(wait) }
    }
    return try result.get()
  }

  /// Waits until a call is answered, or its wait is ended.
  private func answer<Value: Sendable>(
    to wait: UInt64, _ start: (PendingAnswer<Value>) -> Void
  ) async -> Result<Value, OrientationError> {
    await withCheckedContinuation { continuation in
      // No cycle: an answer that has come refers to this no more, and until then the caller holds the connection too.
      let answer = PendingAnswer<Value> { [self] result in
        waits[wait] = nil
        continuation.resume(returning: result)
      }
      waits[wait] = { answer.fail($0) }
      start(answer)
    }
  }

  private func cancel(_ wait: UInt64) {
    waits[wait]?(.cancelled)
  }

  // MARK: What the watch tells

  private func heard(_ event: DaemonWatch.Event) {
    switch event {
    case .appeared:
      retryPause = Self.retrySeconds.shortest
      forget(nil)
    case .device(let device): snapshot.device = device
    case .deviceChanged(_, let device): snapshot.device = device
    case .turned: break
    case .screen(let screen):
      snapshot.screen = screen
      snapshot.isRead = true
      // This is asked last: what the daemon has not told before of a device that is wanted, it has refused.
      if !wantsNotifications || snapshot.device != DeviceSnapshot() { problem = nil } else { updateState() }
    case .heldAgain(let error): if let error { refused(error) }
    case .waiting(.silent, _): break  // It has ended, which is told next.
    case .waiting(_, let problem): forget(problem.error)
    // A daemon of another version: the properties that this library knows keep their values.
    case .misunderstood: break
    case .refused(let problem):
      self.problem = OrientationError(problem.error)
      refused(problem.error)
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
    guard retry == nil else { return }
    retry = wait(seconds: retryPause) { connection in
      connection.retry = nil
      connection.watch?.takeHolds()
      connection.watch?.askAgain()
    }
    retryPause = min(2 * retryPause, Self.retrySeconds.longest)
  }

  private func disconnected(by error: BusError) {
    forget(error)
    guard let ended = watch.map(ObjectIdentifier.init) else { return }
    // Not now: the connection's own handler has called this.
    BusExecutor.shared.afterwards { [weak self] in self?.assumeIsolated { $0.leave(ended) } }
  }

  private func leave(_ ended: ObjectIdentifier) {
    guard let watch, ObjectIdentifier(watch) == ended else { return }
    self.watch = nil
    // libsystemd drops the answers that have not come. Whoever is told may wait for something else.
    for end in Array(waits.values) { end(OrientationError(.noBus)) }
    // The daemon drops them with the connection. The watch knows only of an end that the bus has reported.
    holds.ended(.connection)
    reconnectLater()
  }

  private func reconnectLater() {
    // If there are no descriptors left for a timer, the next call of the app tries again.
    reconnection = wait(seconds: pause) { $0.contact() }
    pause = min(2 * pause, Self.reconnectionSeconds.longest)
  }

  private func wait(
    seconds: Double, _ expired: @escaping @Sendable (isolated DaemonConnection) -> Void
  ) -> Deadline {
    Deadline(on: BusExecutor.shared.eventLoop(), seconds: seconds) { [weak self] in
      self?.assumeIsolated { expired($0) }
    }
  }
}

/// What waits for an answer of the daemon, or for the end of the wait; the first of them counts.
private final class PendingAnswer<Value> {
  private var resume: ((Result<Value, OrientationError>) -> Void)?

  init(_ resume: @escaping (Result<Value, OrientationError>) -> Void) { self.resume = resume }

  /// Ends the wait; false if it has ended before.
  func succeed(_ value: Value) -> Bool { end(.success(value)) }

  /// Ends the wait, unless it has ended before.
  func fail(_ error: OrientationError) { _ = end(.failure(error)) }

  private func end(_ result: Result<Value, OrientationError>) -> Bool {
    guard let resume else { return false }
    self.resume = nil
    resume(result)
    return true
  }
}

extension OrientationError {
  fileprivate static let cancelled = OrientationError(kind: .cancelled, message: "the task was cancelled")
}
