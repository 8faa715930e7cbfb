// SPDX-License-Identifier: Apache-2.0

import DaemonClient
public import Orientation
import Synchronization
import Systemd

/// The device, as UIKit's UIDevice: which way up it is held, and how its screen is rotated.
///
/// Programs of the active local session need no privilege, and nothing blocks the calling thread. What people decide for all apps, the
/// lock above all, is in ``DesktopRotation``. The daemon may start later or be restarted: subscriptions are repeated to it, and so are
/// holds that were taken. Calls end with an error if no daemon runs, or if it does not answer within 25 s
/// (two minutes if the user has to authenticate). Cancelling a task ends its call at once. Only a bus that takes a connection and then
/// does not answer has everything of this library wait, for 90 s at most.
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

  let daemon: DaemonConnection
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

  var snapshot: DaemonSnapshot { daemon.published.value }

  // MARK: The device's orientation

  /// How the device is held; unknown while this object has not begun notifications, and until the daemon has decided.
  ///
  /// While rotation is locked, it is the one that the lock holds.
  public var orientation: DeviceOrientation {
    isGeneratingDeviceOrientationNotifications ? snapshot.device.orientation : .unknown
  }

  /// Whether notifications were begun with this object, and not ended as often, or a loop or a controller uses them.
  public var isGeneratingDeviceOrientationNotifications: Bool { subscriptions.isWanted }

  /// Begins notifications: the sensor runs until ``endGeneratingDeviceOrientationNotifications()`` was called as often.
  ///
  /// A loop over ``orientations`` does this by itself.
  public func beginGeneratingDeviceOrientationNotifications() {
    subscriptions.begin(.called)
  }

  /// Ends notifications that were begun; without that, nothing happens: loops and controllers keep theirs.
  public func endGeneratingDeviceOrientationNotifications() {
    subscriptions.end(.called)
  }

  /// How the device is held: the first known orientation, and each change, while a loop waits for them.
  ///
  /// A later `unknown` means that the sensor does not work, or the daemon has ended. While rotation is locked, there are no changes.
  public var orientations: OrientationUpdates<DeviceOrientation> {
    updates(generating: true, beginningAfter: .unknown) { $0.device.orientation }
  }

  // MARK: The interface's orientation

  /// The orientation of the interface; unknown before the daemon has reported one, which needs a loop or another use of the device.
  ///
  /// It keeps its value while no daemon runs, as the screen does.
  public var interfaceOrientation: InterfaceOrientation { snapshot.screen.orientation }

  /// Whether anything has decided on the interface's orientation: before that, as on a tablet that lies flat, it is a guess that a
  /// screen is best left to.
  public var isInterfaceOrientationDecided: Bool { snapshot.screen.isDecided }

  /// The orientation of the interface, and each change, while a loop waits for them; the interface follows the device meanwhile.
  ///
  /// It is the screen's. An app with an ``InterfaceOrientationController`` lays out its views, and encodes what they show, by the
  /// controller's, which keeps its value in the background; what is recorded of the whole screen goes by this one.
  public var interfaceOrientations: OrientationUpdates<InterfaceOrientation> {
    updates(generating: true, beginningAfter: .unknown) { $0.screen.orientation }
  }

  /// Gives the interface the orientation of the device, also if another one was set by hand; nobody is asked to authenticate.
  ///
  /// - Returns: the orientation that the interface has then.
  /// - Throws: ``OrientationError``: `notAuthorized`, `interactiveAuthorizationRequired`, `limitsExceeded`, or no daemon answers.
  @discardableResult
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
  ///   - application: what the app is, such as `org.example.Player`; 1 to 255 bytes, without characters that cannot be printed.
  ///   - reason: what the hold is for, for people; the same limits. Every user of the machine can read it.
  /// - Returns: the hold. It is released with its last reference, and taken again if the daemon restarts.
  /// - Throws: ``OrientationError``: `invalidArguments`, `notAuthorized`, `interactiveAuthorizationRequired`, `limitsExceeded`, or no
  ///   daemon answers.
  public func hold(
    _ orientations: InterfaceOrientationMask, application: String, reason: String
  ) async throws(OrientationError) -> any InterfaceOrientationHolding {
    let request = HoldRequest(orientations: orientations, application: application, reason: reason)
    return DeviceHold(try await daemon.hold(request), by: daemon)
  }

  // MARK: The screen and its mode

  /// The orientation of the device in which its panel shows an unturned picture upright: portrait for tablets, landscapeLeft for most
  /// 2-in-1s; nil before the daemon has reported it, which needs a loop or another use of the device.
  ///
  /// With it, what is drawn for a panel or comes from a camera is turned right on each device: see ``WindowPlacement``.
  public var naturalOrientation: NaturalOrientation? { snapshot.screen.naturalOrientation }

  /// How a compositor turns the picture so that the interface is upright on the panel; nil before the daemon has reported it.
  public var transform: OutputTransform? {
    let screen = snapshot.screen
    return screen.orientation == .unknown ? nil : OutputTransform(rawValue: screen.transform)
  }

  /// Whether a convertible is folded as a laptop or as a tablet; unknown while this object has not begun notifications, or nobody can know.
  public var tabletMode: TabletMode { snapshot.device.mode }

  /// How a convertible is folded, and each change, while a loop waits for them; the sensor runs meanwhile.
  ///
  /// A later `unknown` means that nobody can know it, or the daemon has ended.
  public var tabletModes: OrientationUpdates<TabletMode> {
    updates(generating: true, beginningAfter: .unknown) { $0.device.mode }
  }

  // MARK: The daemon

  /// Whether the daemon can be used.
  public var daemonState: DaemonState { snapshot.state }

  /// Whether the daemon can be used, and each change, while a loop waits for them.
  public var daemonStates: OrientationUpdates<DaemonState> {
    updates(generating: false, beginningAfter: .notContacted) { $0.state }
  }

  func updates<Value>(
    generating: Bool, beginningAfter unknown: Value? = nil,
    _ value: @escaping @Sendable (DaemonSnapshot) -> Value?
  ) -> OrientationUpdates<Value> {
    OrientationUpdates(
      start: { [daemon, subscriptions] in
        guard generating else {
          Task(executorPreference: BusExecutor.shared) { await daemon.contact() }
          return Use { _ = daemon }
        }
        return subscriptions.use()
      }, of: daemon.published, unknown: unknown, value: value)
  }
}

extension OrientationDevice: InterfaceOrientationScreen {
  /// The state of the screen, as the daemon has last reported it; the interface is unknown while no daemon answers.
  public var screenState: ScreenState { snapshot.screenState }

  /// The present state of the screen, and each change, with the device's orientation while it is read.
  public var screenStates: AsyncStream<ScreenState> {
    let (daemon, use) = (daemon, subscriptions.use())
    return AsyncStream(ScreenState.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task(executorPreference: BusExecutor.shared) {
        var last: ScreenState?
        for await _ in daemon.published.changes {
          let state = daemon.published.value.screenState
          if state != last { continuation.yield(state) }
          last = state
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in
        task.cancel()
        use.end()
      }
    }
  }
}

/// Who wants notifications.
///
/// The app's own calls are counted apart: if it ends more often than it begins, loops and controllers go on.
private final class Subscriptions: Sendable {
  enum Origin { case called, used }

  private let daemon: DaemonConnection
  private let count = Mutex((called: 0, used: 0))

  init(at daemon: DaemonConnection) { self.daemon = daemon }

  var isWanted: Bool { count.withLock { $0.called > 0 || $0.used > 0 } }

  func begin(_ origin: Origin) { change(origin, by: 1) }

  func end(_ origin: Origin) { change(origin, by: -1) }

  /// Begins, and ends with the use.
  func use() -> Use {
    begin(.used)
    return Use { self.end(.used) }
  }

  private func change(_ origin: Origin, by change: Int) {
    count.withLock { count in
      switch origin {
      case .called: count.called = max(0, count.called + change)
      case .used: count.used += change
      }
    }
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
      lock: screen.lock, supported: screen.supported, isFollowed: !isRead || !screen.followers.isEmpty)
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
