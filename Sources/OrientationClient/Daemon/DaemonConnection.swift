// SPDX-License-Identifier: Apache-2.0

internal import Orientation
internal import Systemd

/// The daemon, for code that runs on any thread.
actor DaemonConnection {
  /// What the daemon has sent.
  nonisolated let snapshot: Broadcast<DaemonSnapshot>

  private let session: DaemonSession

  nonisolated var unownedExecutor: UnownedSerialExecutor { BusExecutor.shared.asUnownedSerialExecutor() }

  init(at address: Bus.Address) {
    let snapshot = Broadcast(DaemonSnapshot())
    self.snapshot = snapshot
    session = DaemonSession(at: address, on: .shared) { snapshot.send($0) }
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
    try await result { resume in
      session.send(call) { reply throws(BusError) in
        resume(.success(try reading(reply)))
      } failed: { error in
        resume(.failure(error))
      }
    }
  }

  /// Takes a hold.
  func hold(_ request: HeldOrientations.Request) async throws(OrientationError) -> HeldOrientations.ID {
    try await result { resume in session.hold(request, answered: resume) }
  }

  /// Releases a hold.
  func release(_ hold: HeldOrientations.ID) async {
    await withCheckedContinuation { continuation in
      session.release(hold) { continuation.resume() }
    }
  }

  private func result<Value: Sendable>(
    _ start: (@escaping (Result<Value, BusError>) -> Void) -> Void
  ) async throws(OrientationError) -> Value {
    let result = await withCheckedContinuation { continuation in
      start { continuation.resume(returning: $0) }
    }
    do throws(BusError) {
      return try result.get()
    } catch {
      throw OrientationError(error)
    }
  }
}
