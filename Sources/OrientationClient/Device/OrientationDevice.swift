// SPDX-License-Identifier: Apache-2.0

public import Orientation
import Synchronization
internal import Systemd

/// The device, as UIKit's UIDevice: which way up it is held, and how its screen is rotated.
///
/// Nothing here needs a privilege, and nothing blocks the calling thread. The daemon may start later or be restarted: subscriptions
/// are repeated to it, and so are holds that were taken. Calls end with an error if no daemon runs, or if it does not answer within 25 s
/// (two minutes if the user has to authenticate). Cancelling a task ends its call at once.
///
/// Each object has a connection and subscriptions of its own; most apps use ``current``.
public final class OrientationDevice: Sendable {
  /// A message bus on which the daemon serves.
  public enum MessageBus: Equatable, Sendable {
    /// The system bus, or what `DBUS_SYSTEM_BUS_ADDRESS` says.
    case system
    /// The session bus, on which `orientationd --user` serves.
    case session
    /// A D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
    case address(String)
  }

  /// The device that the system's daemon serves.
  public static let current = OrientationDevice()

  private let daemon: DaemonConnection
  private let subscriptions: Subscriptions

  /// Creates a device; it connects when it is used.
  ///
  /// - Parameter bus: where the daemon serves.
  public init(bus: MessageBus = .system) {
    let place: Bus.Address =
      switch bus {
      case .system: .system
      case .session: .session
      case .address(let text): .address(text)
      }
    daemon = DaemonConnection(at: place)
    subscriptions = Subscriptions(at: daemon)
  }

  private var snapshot: DaemonSnapshot { daemon.published.value }

  // MARK: The device's orientation

  /// How the device is held; unknown while this object has not begun notifications, and until the daemon has decided.
  public var orientation: DeviceOrientation {
    isGeneratingDeviceOrientationNotifications ? snapshot.device.orientation : .unknown
  }

  /// Whether notifications were begun with this object, and not ended as often.
  public var isGeneratingDeviceOrientationNotifications: Bool { subscriptions.isWanted }

  /// Begins notifications: the sensor runs until ``endGeneratingDeviceOrientationNotifications()`` was called as often.
  ///
  /// A loop over ``orientations`` does this by itself.
  public func beginGeneratingDeviceOrientationNotifications() {
    subscriptions.begin()
  }

  /// Ends notifications that were begun; without that, nothing happens.
  public func endGeneratingDeviceOrientationNotifications() {
    subscriptions.end()
  }

  /// How the device is held: the first known orientation, and each change, while a loop waits for them.
  ///
  /// A later `unknown` means that the sensor does not work, or the daemon has ended.
  public var orientations: OrientationUpdates<DeviceOrientation> {
    updates(generating: true, beginningAfter: .unknown) { $0.device.orientation }
  }

  // MARK: The interface's orientation

  /// The orientation of the interface; unknown before the daemon has reported one, which needs one of the other members of this type.
  ///
  /// It keeps its value while no daemon runs, as the screen does.
  public var interfaceOrientation: InterfaceOrientation { snapshot.screen.orientation }

  /// The orientation of the interface, and each change, while a loop waits for them; the interface follows the device meanwhile.
  public var interfaceOrientations: OrientationUpdates<InterfaceOrientation> {
    updates(generating: true, beginningAfter: .unknown) { $0.screen.orientation }
  }

  /// Rotates the interface by hand, whether or not rotation is locked.
  ///
  /// - Parameter orientation: one that the user and the newest hold allow.
  /// - Throws: ``OrientationError``: `unsupportedOrientation`, `invalidArguments` for unknown, `notAuthorized`, `limitsExceeded`, or no
  ///   daemon answers.
  public func rotate(to orientation: InterfaceOrientation) async throws(OrientationError) {
    try await daemon.call(
      .screen("Rotate", .uint32(orientation.rawValue), authorization: .interactive))
  }

  /// Gives the interface the orientation of the device, also if another one was set by hand; nobody is asked to authenticate.
  ///
  /// - Returns: the orientation that the interface has then.
  /// - Throws: ``OrientationError``: `notAuthorized`, `limitsExceeded`, or no daemon answers.
  public func attemptRotationToDeviceOrientation() async throws(OrientationError) -> InterfaceOrientation {
    let raw = try await daemon.call(
      .screen("RotateToDevice")
    ) {
      reply throws(BusError) in try reply.readUInt32()
    }
    return InterfaceOrientation(rawValue: raw) ?? .unknown
  }

  /// Holds the interface to some orientations, as long as the hold exists.
  ///
  /// - Parameters:
  ///   - orientations: at least one. While the user allows none of them, the hold waits.
  ///   - application: what the app is, such as `org.example.Player`; 1 to 255 bytes.
  ///   - reason: what the hold is for, for people; 1 to 255 printable bytes. Every user of the machine can read it.
  /// - Returns: the hold. It is released with its last reference, and taken again if the daemon restarts.
  /// - Throws: ``OrientationError``: `invalidArguments`, `notAuthorized`, `limitsExceeded`, or no daemon answers.
  public func hold(
    _ orientations: InterfaceOrientationMask, application: String, reason: String
  ) async throws(OrientationError) -> any InterfaceOrientationHolding {
    let request = HoldRequest(orientations: orientations, application: application, reason: reason)
    return DeviceHold(try await daemon.hold(request), by: daemon)
  }

  // MARK: The rotation lock

  /// Whether rotation was locked when the daemon last reported it; unlocked before that, which needs one of the other members of this type.
  public var rotationLock: RotationLock { snapshot.screen.lock }

  /// Whether rotation is locked, and each change, while a loop waits for them; the sensor need not run for this.
  public var rotationLocks: OrientationUpdates<RotationLock> {
    updates(generating: false) { snapshot in snapshot.isRead ? snapshot.screen.lock : nil }
  }

  /// Locks or unlocks rotation; the user may have to authenticate.
  ///
  /// - Parameter lock: the new state of the lock.
  /// - Throws: ``OrientationError``: `notAuthorized`, `limitsExceeded`, or no daemon answers.
  public func setRotationLock(_ lock: RotationLock) async throws(OrientationError) {
    try await daemon.call(.screen("SetRotationLock", .bool(lock == .locked), authorization: .interactive))
  }

  /// Locks rotation if it is unlocked, and unlocks it if it is locked; the user may have to authenticate.
  ///
  /// - Returns: whether rotation is locked now.
  /// - Throws: ``OrientationError``: `notAuthorized`, `limitsExceeded`, or no daemon answers.
  @discardableResult
  public func toggleRotationLock() async throws(OrientationError) -> RotationLock {
    try await daemon.call(.screen("ToggleRotationLock", authorization: .interactive)) {
      reply throws(BusError) in try reply.readBool() ? .locked : .unlocked
    }
  }

  // MARK: The daemon

  /// Whether the daemon can be used.
  public var daemonState: DaemonState { snapshot.state }

  /// Whether the daemon can be used, and each change, while a loop waits for them.
  public var daemonStates: OrientationUpdates<DaemonState> {
    updates(generating: false, beginningAfter: .notContacted) { $0.state }
  }

  private func updates<Value>(
    generating: Bool, beginningAfter unknown: Value? = nil,
    _ value: @escaping @Sendable (DaemonSnapshot) -> Value?
  ) -> OrientationUpdates<Value> {
    OrientationUpdates(
      start: { [daemon, subscriptions] in
        guard generating else {
          Task(executorPreference: BusExecutor.shared) { await daemon.contact() }
          return Use { _ = daemon }
        }
        subscriptions.begin()
        return Use { subscriptions.end() }
      }, of: daemon.published, unknown: unknown, value: value)
  }
}

extension OrientationDevice: InterfaceOrientationScreen {
  /// The state of the screen, as the daemon has last reported it; the interface is unknown while no daemon answers.
  public var screenState: ScreenState { snapshot.screenState }

  /// The present state of the screen, and each change.
  ///
  /// To have the device's orientation in it, begin notifications.
  public var screenStates: AsyncStream<ScreenState> {
    let daemon = daemon
    return AsyncStream(ScreenState.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: BusExecutor.shared) {
        await daemon.contact()
        var last: ScreenState?
        for await _ in daemon.published.changes {
          let state = daemon.published.value.screenState
          if state != last { continuation.yield(state) }
          last = state
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// How often an app has begun notifications.
private final class Subscriptions: Sendable {
  private let daemon: DaemonConnection
  private let count = Mutex(0)

  init(at daemon: DaemonConnection) { self.daemon = daemon }

  var isWanted: Bool { count.withLock { $0 > 0 } }

  func begin() {
    count.withLock { $0 += 1 }
    adjust()
  }

  func end() {
    count.withLock { $0 = max(0, $0 - 1) }
    adjust()
  }

  private func adjust() {
    Task(executorPreference: BusExecutor.shared) { [self] in
      // Read there: of two calls, the later one may come first.
      await daemon.setWantsNotifications(isWanted)
    }
  }

  // A hold of the device may live longer, and the connection with it.
  deinit {
    let daemon = daemon
    if isWanted { Task(executorPreference: BusExecutor.shared) { await daemon.setWantsNotifications(false) } }
  }
}

extension DaemonSnapshot {
  /// What the policy of an app needs; without a daemon, nobody rotates the interface, and its orientation is unknown.
  fileprivate var screenState: ScreenState {
    ScreenState(
      interface: isRead ? screen.orientation : .unknown, device: device.orientation,
      isRotationLocked: screen.lock == .locked,
      supported: screen.supported, isTurned: !isRead || !screen.followers.isEmpty)
  }
}

/// A hold of the daemon's.
private final class DeviceHold: InterfaceOrientationHolding {
  private let hold: HeldOrientations.ID
  private let daemon: DaemonConnection

  init(_ hold: HeldOrientations.ID, by daemon: DaemonConnection) {
    self.hold = hold
    self.daemon = daemon
  }

  func release() async { await daemon.release(hold) }

  deinit {
    Task(executorPreference: BusExecutor.shared) { [hold, daemon] in await daemon.release(hold) }
  }
}
