// SPDX-License-Identifier: Apache-2.0

public import Orientation
public import OrientationClient
import Synchronization

/// A tablet with the daemon's own rules for its screen, but neither daemon nor bus: for the tests of apps.
///
/// A test gives it to an `InterfaceOrientationController`, turns and locks it as a person would, and reads what the app holds and what
/// people have seen. At first it is held in portrait.
public final class SimulatedScreen: InterfaceOrientationScreen {
  /// A hold as the daemon lists it.
  public struct Hold: Equatable, Sendable {
    /// The number of the hold, from 1.
    public let number: UInt32
    /// The orientations to which the app holds the interface.
    public let orientations: InterfaceOrientationMask
    /// What the app says that it is.
    public let application: String
    /// What the app says that the hold is for.
    public let reason: String
  }

  /// Creates a tablet in portrait, unlocked, with all orientations supported.
  public init() {}

  private struct Model {
    var interface = HeldOrientation(ScreenOrientation(home: .portrait))
    /// How the tablet is held.
    var physical = DeviceOrientation.portrait
    /// The same, as far as the daemon knows: without subscribers, nobody does.
    var present: DeviceOrientation { subscriptions > 0 ? physical : .unknown }
    /// What the lock holds; nil while unlocked, and unknown until that is known for the first time.
    var held: DeviceOrientation?
    /// What clients see.
    var device: DeviceOrientation { subscriptions > 0 ? held ?? physical : .unknown }
    /// How many other programs have begun notifications.
    var others = 0
    var subscriptions: Int { others + readers.count }
    var holds: [Hold] = []
    var holdCount: UInt32 = 0
    var attempts = 0
    /// What every call is refused with.
    var refusal: OrientationError?
    /// No state is known, as before the daemon has answered.
    var isSilent = false
    /// Whether a program turns the screen.
    var isFollowed = true
    /// The orientations that people have seen, one after the other.
    var history = [InterfaceOrientation.portrait]
    var isPaused = false
    var paused: [CheckedContinuation<Void, Never>] = []
    var readers: [Int: AsyncStream<ScreenState>.Continuation] = [:]
    var lastReader = 0

    var state: ScreenState {
      guard !isSilent else { return ScreenState() }
      return ScreenState(
        interface: interface.current, device: device,
        lock: interface.unheld.lock, supported: interface.unheld.supported, isFollowed: isFollowed)
    }
  }

  private let model = Mutex(Model())

  /// Changes the model, and tells the readers if their state is another one.
  private func change<Result: Sendable>(_ body: (inout Model) -> Result) -> Result {
    let (result, news, readers) = model.withLock { model in
      let before = model.state
      let result = body(&model)
      if model.interface.current != model.history.last { model.history.append(model.interface.current) }
      return (result, model.state == before ? nil : model.state, Array(model.readers.values))
    }
    // Without the lock: a stream whose task is being cancelled holds the task's lock while it waits for this one.
    if let news { for reader in readers { reader.yield(news) } }
    return result
  }

  // MARK: What a test sees

  /// The orientation of the interface.
  public var interface: InterfaceOrientation { model.withLock { $0.interface.current } }
  /// The orientations that people have seen, one after the other, from portrait on.
  public var history: [InterfaceOrientation] { model.withLock { $0.history } }
  /// The holds of apps, the oldest first.
  public var holds: [Hold] { model.withLock { $0.holds } }
  /// The orientations of the holds, the oldest first.
  public var heldTo: [InterfaceOrientationMask] { holds.map(\.orientations) }
  /// How many holds were taken so far.
  public var holdsTaken: UInt32 { model.withLock { $0.holdCount } }
  /// How many want to know how the tablet is held: without any, the sensor rests.
  public var subscriptions: Int { model.withLock { $0.subscriptions } }
  /// How often an app has asked for the device's orientation.
  public var attempts: Int { model.withLock { $0.attempts } }
  /// How many calls wait, while calls are paused.
  public var pausedCalls: Int { model.withLock { $0.paused.count } }

  // MARK: What happens to it

  /// The person holds it in another way.
  public func turn(to orientation: DeviceOrientation) {
    change {
      $0.physical = orientation
      Self.see(&$0)
    }
  }

  /// A program turns the screen from now on, or none does.
  public func setFollowed(_ isFollowed: Bool) { change { $0.isFollowed = isFollowed } }

  /// The person locks or unlocks rotation.
  public func setLock(_ lock: RotationLock) {
    change { model in
      guard lock != model.interface.unheld.lock else { return }
      model.held = lock == .locked ? model.present : nil
      let device = model.device
      model.interface.change {
        $0.deviceTurned(to: device)
        $0.set(lock)
      }
    }
  }

  /// The person chooses the orientations that the interface may have.
  public func support(_ mask: InterfaceOrientationMask) {
    change { try? $0.interface.support(mask, on: $0.present) }
  }

  /// The person rotates the interface by hand.
  ///
  /// - Throws: `OrientationError`: `unsupportedOrientation`, `invalidArguments` for unknown, or what calls are refused with.
  public func rotate(to orientation: InterfaceOrientation) async throws(OrientationError) {
    try await answer()
    guard orientation != .unknown else { throw OrientationError(kind: .invalidArguments, message: "") }
    let isDone = change { (try? $0.interface.rotate(to: orientation)) != nil }
    guard isDone else { throw OrientationError(kind: .unsupportedOrientation, message: "") }
  }

  /// Refuses each call from now on; nil for no more.
  public func refuse(with kind: OrientationError.Kind?) {
    change { $0.refusal = kind.map { OrientationError(kind: $0, message: "refused by a test") } }
  }

  /// Knows nothing from now on, as before the daemon has answered; or knows all again.
  public func setSilent(_ isSilent: Bool) {
    change { $0.isSilent = isSilent }
  }

  /// Lets calls wait until ``resume()``.
  public func pause() {
    change { $0.isPaused = true }
  }

  /// Answers the calls that wait, and each later one.
  public func resume() {
    let paused = change { model in
      model.isPaused = false
      defer { model.paused = [] }
      return model.paused
    }
    for call in paused { call.resume() }
  }

  /// Another program wants to know how the tablet is held.
  public func beginGeneratingDeviceOrientationNotifications() {
    change {
      $0.others += 1
      Self.see(&$0)
    }
  }

  /// A program that wanted to know does so no more; without one, nothing happens.
  public func endGeneratingDeviceOrientationNotifications() {
    change {
      $0.others = max(0, $0.others - 1)
      Self.see(&$0)
    }
  }

  /// The interface is told what clients see now.
  private static func see(_ model: inout Model) {
    if model.held == .unknown { model.held = model.present }
    let device = model.device
    model.interface.change { $0.deviceTurned(to: device) }
  }

  // MARK: The screen

  /// The present state.
  public var screenState: ScreenState { model.withLock { $0.state } }

  /// The present state, and each later one, with the device's orientation.
  public var screenStates: AsyncStream<ScreenState> {
    let (stream, reader) = AsyncStream.makeStream(
      of: ScreenState.self, bufferingPolicy: .bufferingNewest(1))
    let number = change {
      $0.lastReader += 1
      $0.readers[$0.lastReader] = reader
      Self.see(&$0)
      return $0.lastReader
    }
    reader.onTermination = { [weak self] _ in
      self?.change {
        $0.readers[number] = nil
        Self.see(&$0)
      }
    }
    reader.yield(screenState)
    return stream
  }

  /// Takes a hold, or refuses it as the daemon would.
  public func hold(
    _ orientations: InterfaceOrientationMask, application: String, reason: String
  ) async throws(OrientationError) -> any InterfaceOrientationHolding {
    try await answer()
    guard !orientations.isEmpty, InterfaceOrientationMask.all.isSuperset(of: orientations) else {
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
    return SimulatedHold(screen: self, number: number)
  }

  /// Gives the interface the orientation of the device.
  @discardableResult
  public func attemptRotationToDeviceOrientation() async throws(OrientationError) -> InterfaceOrientation {
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
    model.interface.hold(holds, on: model.present)
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

private final class SimulatedHold: InterfaceOrientationHolding {
  private let screen: SimulatedScreen
  private let number: UInt32

  init(screen: SimulatedScreen, number: UInt32) {
    self.screen = screen
    self.number = number
  }

  func release() async { screen.release(number) }

  deinit { screen.release(number) }
}
