// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Synchronization

/// A tablet with the daemon's own rules for its screen, as the XML of org.orientationd1.Screen documents them, but no bus.
final class FakeScreen: InterfaceOrientationScreen {
  /// A hold as the daemon lists it.
  struct Hold: Equatable {
    let number: UInt32
    let orientations: InterfaceOrientationMask
    let application: String
    let reason: String
  }

  private struct Model {
    var interface = HeldOrientation(ScreenOrientation(home: .portrait))
    /// How the tablet is held, and what clients see of it.
    var physical = DeviceOrientation.portrait
    var device = DeviceOrientation.unknown
    var subscriptions = 0
    var holds: [Hold] = []
    var holdCount: UInt32 = 0
    var attempts = 0
    /// What every call is refused with.
    var refusal: OrientationError?
    /// No state is known, as before the daemon has answered.
    var isSilent = false
    /// Whether a program turns the screen.
    var isTurned = true
    /// The orientations that people have seen, one after the other.
    var history = [InterfaceOrientation.portrait]
    var isPaused = false
    var paused: [CheckedContinuation<Void, Never>] = []
    var readers: [AsyncStream<ScreenState>.Continuation] = []

    var state: ScreenState {
      guard !isSilent else { return ScreenState() }
      return ScreenState(
        interface: interface.current, device: device,
        isRotationLocked: interface.unheld.lock == .locked, supported: interface.unheld.supported,
        isTurned: isTurned)
    }
  }

  private let model = Mutex(Model())

  /// Changes the model, and tells the readers if their state is another one.
  private func change<Result: Sendable>(_ body: (inout Model) -> Result) -> Result {
    model.withLock { model in
      let before = model.state
      defer {
        if model.interface.current != model.history.last { model.history.append(model.interface.current) }
        if model.state != before { for reader in model.readers { reader.yield(model.state) } }
      }
      return body(&model)
    }
  }

  // MARK: What tests see and do

  var interface: InterfaceOrientation { model.withLock { $0.interface.current } }
  var history: [InterfaceOrientation] { model.withLock { $0.history } }
  var holds: [Hold] { model.withLock { $0.holds } }
  /// The orientations of the holds, the oldest first.
  var heldTo: [InterfaceOrientationMask] { holds.map(\.orientations) }
  /// How many holds were taken so far.
  var holdCount: UInt32 { model.withLock { $0.holdCount } }
  var subscriptions: Int { model.withLock { $0.subscriptions } }
  var attempts: Int { model.withLock { $0.attempts } }
  /// How many calls wait, while calls are paused.
  var pausedCalls: Int { model.withLock { $0.paused.count } }

  func turn(to orientation: DeviceOrientation) {
    change {
      $0.physical = orientation
      Self.see(&$0)
    }
  }

  func setTurned(_ isTurned: Bool) { change { $0.isTurned = isTurned } }

  func lock(_ lock: RotationLock) {
    change { model in
      model.interface.change { $0.set(lock) }
      Self.see(&model)
    }
  }

  /// The person's own choice of orientations.
  func support(_ mask: InterfaceOrientationMask) {
    change { try? $0.interface.support(mask, on: $0.physical) }
  }

  func refuse(with kind: OrientationError.Kind?) {
    change { $0.refusal = kind.map { OrientationError(kind: $0, message: "refused by a test") } }
  }

  func setSilent(_ isSilent: Bool) {
    change { $0.isSilent = isSilent }
  }

  /// Lets calls wait until ``resume()``.
  func pause() {
    change { $0.isPaused = true }
  }

  func resume() {
    let paused = change { model in
      model.isPaused = false
      defer { model.paused = [] }
      return model.paused
    }
    for call in paused { call.resume() }
  }

  /// Subscribers see how the tablet is held, unless rotation is locked.
  private static func see(_ model: inout Model) {
    guard model.subscriptions > 0, model.interface.unheld.lock == .unlocked else { return }
    let orientation = model.physical
    model.device = orientation
    model.interface.change { $0.deviceTurned(to: orientation) }
  }

  // MARK: The screen

  var screenState: ScreenState { model.withLock { $0.state } }

  var screenStates: AsyncStream<ScreenState> {
    let (stream, reader) = AsyncStream.makeStream(
      of: ScreenState.self, bufferingPolicy: .bufferingNewest(1))
    change {
      $0.readers.append(reader)
      reader.yield($0.state)
    }
    return stream
  }

  func beginGeneratingDeviceOrientationNotifications() {
    change {
      $0.subscriptions += 1
      Self.see(&$0)
    }
  }

  func endGeneratingDeviceOrientationNotifications() {
    change { model in
      model.subscriptions -= 1
      guard model.subscriptions == 0 else { return }
      model.device = .unknown
      model.interface.change { $0.deviceTurned(to: .unknown) }
    }
  }

  func hold(
    _ orientations: InterfaceOrientationMask, application: String, reason: String
  ) async throws(OrientationError) -> any InterfaceOrientationHolding {
    try await answer()
    guard InterfaceOrientationMask.all.isSuperset(of: orientations) else {
      throw OrientationError(kind: .invalidArguments, message: "")
    }
    guard [application, reason].allSatisfy({ (1...255).contains($0.utf8.count) }) else {
      throw OrientationError(kind: .invalidArguments, message: "")
    }
    // As the daemon does, for each client.
    guard holds.count < 8 else { throw OrientationError(kind: .limitsExceeded, message: "") }
    let number = change {
      $0.holdCount += 1
      $0.holds.append(
        Hold(number: $0.holdCount, orientations: orientations, application: application, reason: reason))
      Self.layHolds(&$0)
      return $0.holdCount
    }
    return FakeHold(screen: self, number: number)
  }

  func rotate(to orientation: InterfaceOrientation) async throws(OrientationError) {
    try await answer()
    let isDone = change { (try? $0.interface.rotate(to: orientation)) != nil }
    guard isDone else { throw OrientationError(kind: .unsupportedOrientation, message: "") }
  }

  func attemptRotationToDeviceOrientation() async throws(OrientationError) -> InterfaceOrientation {
    change { $0.attempts += 1 }
    try await answer()
    return change {
      $0.interface.attemptRotationToDevice()
      return $0.interface.current
    }
  }

  fileprivate func release(_ number: UInt32) {
    change { model in
      model.holds.removeAll { $0.number == number }
      Self.layHolds(&model)
    }
  }

  private static func layHolds(_ model: inout Model) {
    let holds = model.holds.map { InterfaceHold(number: $0.number, mask: $0.orientations) }
    model.interface.hold(holds, on: model.physical)
  }

  /// Waits while calls are paused, and throws if they are refused.
  private func answer() async throws(OrientationError) {
    await withCheckedContinuation { continuation in
      let waits = change { model in
        if model.isPaused { model.paused.append(continuation) }
        return model.isPaused
      }
      if !waits { continuation.resume() }
    }
    if let refusal = model.withLock({ $0.refusal }) { throw refusal }
  }
}

private final class FakeHold: InterfaceOrientationHolding {
  private let screen: FakeScreen
  private let number: UInt32

  init(screen: FakeScreen, number: UInt32) {
    self.screen = screen
    self.number = number
  }

  func release() async { screen.release(number) }

  deinit { screen.release(number) }
}
