// SPDX-License-Identifier: Apache-2.0

import DaemonClient
public import Orientation

/// The screen's orientation as the daemon decides it, and the device's.
public struct ScreenState: Equatable, Sendable {
  /// The orientation of the interface; unknown before the daemon has reported one.
  public var interface: InterfaceOrientation
  /// How the device is held; unknown while nobody reads ``InterfaceOrientationScreen/screenStates`` or has begun notifications.
  public var device: DeviceOrientation
  /// Whether the user has locked rotation.
  public var lock: RotationLock
  /// The orientations that the user allows: `SupportedInterfaceOrientations` on D-Bus.
  public var supported: InterfaceOrientationMask
  /// Whether a program turns the screen to ``interface``: otherwise only windows that turn themselves show it.
  ///
  /// It is true while no daemon runs; then ``interface`` is unknown.
  public var isFollowed: Bool

  /// Creates a state; the defaults are those before the daemon has reported any.
  public init(
    interface: InterfaceOrientation = .unknown, device: DeviceOrientation = .unknown,
    lock: RotationLock = .unlocked,
    supported: InterfaceOrientationMask = .all, isFollowed: Bool = true
  ) {
    self.interface = interface
    self.device = device
    self.lock = lock
    self.supported = supported
    self.isFollowed = isFollowed
  }
}

/// A screen that apps can rotate: that of ``OrientationDevice``, or the one of OrientationClientTesting in an app's tests.
///
/// Later versions may require more; other types than these two should not conform.
public protocol InterfaceOrientationScreen: AnyObject, Sendable {
  /// The present state.
  var screenState: ScreenState { get }

  /// The present state, and each later one; of several that follow one another quickly, the newest.
  ///
  /// The device's orientation is in it while anybody has such a stream: the sensor runs until its reader has ended.
  var screenStates: AsyncStream<ScreenState> { get }

  /// Holds the interface to these orientations, until the hold is released or the app ends.
  ///
  /// - Parameters:
  ///   - orientations: at least one. While the user allows none of them, the hold waits.
  ///   - application: what the app is, such as `org.example.Player`; 1 to 255 bytes, without characters that cannot be printed.
  ///   - reason: what the hold is for, for people; the same limits. Every user of the machine can read it.
  /// - Returns: the hold. It is taken again if the daemon restarts.
  /// - Throws: ``OrientationError``: `invalidArguments`, `notAuthorized`, `interactiveAuthorizationRequired`, `limitsExceeded`, or no
  ///   daemon answers.
  func hold(
    _ orientations: InterfaceOrientationMask, application: String, reason: String
  ) async throws(OrientationError) -> any InterfaceOrientationHolding

  /// Gives the interface the orientation of the device, also if another one was set by hand; nobody is asked to authenticate.
  ///
  /// - Returns: the orientation that the interface has then.
  /// - Throws: ``OrientationError``
  @discardableResult
  func attemptRotationToDeviceOrientation() async throws(OrientationError) -> InterfaceOrientation
}

/// A hold of the interface's orientation; releasing the last reference releases the hold, too.
///
/// Later versions may require more; other types should not conform.
public protocol InterfaceOrientationHolding: AnyObject, Sendable {
  /// Releases the hold, and returns when the daemon has heard that; a hold that has ended already is left alone.
  func release() async
}
