// SPDX-License-Identifier: Apache-2.0

internal import Orientation
internal import Systemd

/// The daemon, for code that runs on any thread.
actor DaemonConnection {
  /// What the daemon has sent.
  nonisolated let snapshot: Broadcast<DaemonSnapshot>

  private let session: DaemonSession
  /// What ends the wait of each call, by its number.
  private var waits: [UInt64: () -> Void] = [:]
  private var lastWait: UInt64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { BusExecutor.shared.asUnownedSerialExecutor() }

  init(at place: DaemonBus) {
    let snapshot = Broadcast(DaemonSnapshot())
    self.snapshot = snapshot
    session = DaemonSession(at: place) { snapshot.send($0) }
  }

  // The connection belongs to the thread of the bus.
  isolated deinit {}

  /// Connects to the bus, which starts the daemon.
  func contact() { session.contact() }

  /// Begins or ends notifications.
  func setWantsNotifications(_ wanted: Bool) { session.setWantsNotifications(wanted) }

  /// Calls a method that returns nothing.
  func call(_ call: DaemonCall) async throws(OrientationError) {
    try await self.call(call) { _ throws(BusError) in }
  }

  /// Calls a method, and reads its answer.
  func call<Value: Sendable>(
    _ call: DaemonCall, reading: @escaping @Sendable (borrowing Message) throws(BusError) -> Value
  ) async throws(OrientationError) -> Value {
    try await result { answer in
      session.send(call) { reply throws(BusError) in
        _ = answer.succeed(try reading(reply))
      } failed: { error in
        answer.fail(OrientationError(error))
      }
    }
  }

  /// Takes a hold.
  ///
  /// If the task is cancelled, or the daemon takes too long, the hold is released when it is granted.
  func hold(_ request: HoldRequest) async throws(OrientationError) -> HeldOrientations.ID {
    try await result { answer in session.hold(request, answer) }
  }

  /// Releases a hold.
  func release(_ hold: HeldOrientations.ID) async {
    await withCheckedContinuation { continuation in
      session.release(hold) { continuation.resume() }
    }
  }

  /// Waits for an answer, until the task is cancelled.
  private func result<Value: Sendable>(
    _ start: (PendingAnswer<Value>) -> Void
  ) async throws(OrientationError) -> Value {
    lastWait += 1
    let wait = lastWait
    let result: Result<Value, OrientationError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // No cycle: an answer that has come refers to this no more, and until then the caller holds the connection too.
        let answer = PendingAnswer<Value> { [self] result in
          waits[wait] = nil
          continuation.resume(returning: result)
        }
        // A task that was cancelled before this has called `cancel` too early.
        guard !Task.isCancelled else { return answer.fail(.cancelled) }
        waits[wait] = { answer.fail(.cancelled) }
        start(answer)
      }
    } onCancel: {
      Task(executorPreference: BusExecutor.shared) { await self.cancel(wait) }
    }
    return try result.get()
  }

  private func cancel(_ wait: UInt64) {
    waits[wait]?()
  }
}

extension OrientationError {
  fileprivate static let cancelled = OrientationError(kind: .cancelled, message: "the task was cancelled")
}
