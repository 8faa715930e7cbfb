// SPDX-License-Identifier: Apache-2.0

import DaemonClient
public import Orientation
import Systemd

/// What a person decides for all apps, for programs that are a part of the desktop: the lock, and a rotation by hand.
///
/// It lasts beyond the program and the daemon. An app that is to be shown in some orientation holds it instead, with
/// ``OrientationDevice/hold(_:application:reason:)`` or an ``InterfaceOrientationController``; then nothing is left behind.
public struct DesktopRotation: Sendable {
  private let device: OrientationDevice

  /// Creates it for the desktop of a device.
  public init(of device: OrientationDevice = .current) { self.device = device }

  // MARK: The lock

  /// Whether rotation was locked when the daemon last reported it; unlocked before that, which needs ``locks`` or another use of the device.
  public var lock: RotationLock { device.snapshot.screen.lock }

  /// Whether rotation is locked, and each change, while a loop waits for them; the sensor need not run for this.
  public var locks: OrientationUpdates<RotationLock> {
    device.updates(generating: false) { snapshot in snapshot.isRead ? snapshot.screen.lock : nil }
  }

  /// Whether this program may set the lock, so that a button for it can be grey.
  ///
  /// - Throws: ``OrientationError``: `limitsExceeded`, or no daemon answers.
  public func permissionToSetLock() async throws(OrientationError) -> Permission {
    try await permission("CanSetRotationLock")
  }

  /// Whether a person before this program may do something.
  public enum Permission: Sendable {
    /// It is done at once.
    case granted
    /// It is done if the person proves who they are; they are asked then.
    case afterAuthentication
    /// It is refused.
    case denied
  }

  private func permission(_ question: String) async throws(OrientationError) -> Permission {
    let answer = try await device.daemon.call(.screen(question)) {
      reply throws(BusError) in try reply.readString()
    }
    return switch answer {
    case "yes": .granted
    case "challenge": .afterAuthentication
    default: .denied
    }
  }

  /// Locks or unlocks rotation; the person may have to authenticate.
  ///
  /// - Parameter lock: the new state of the lock.
  /// - Throws: ``OrientationError``: `notAuthorized`, `limitsExceeded`, or no daemon answers.
  public func setLock(_ lock: RotationLock) async throws(OrientationError) {
    try await device.daemon.call(
      .screen("SetRotationLock", .bool(lock == .locked), authorization: .interactive))
  }

  /// Locks rotation if it is unlocked, and unlocks it if it is locked; the person may have to authenticate.
  ///
  /// - Returns: whether rotation is locked now.
  /// - Throws: ``OrientationError``: `notAuthorized`, `limitsExceeded`, or no daemon answers.
  @discardableResult
  public func toggleLock() async throws(OrientationError) -> RotationLock {
    try await device.daemon.call(.screen("ToggleRotationLock", authorization: .interactive)) {
      reply throws(BusError) in try reply.readBool() ? .locked : .unlocked
    }
  }

  // MARK: Rotating by hand

  /// The orientation that the interface would take if rotation were unlocked: for a button that offers to rotate it once.
  ///
  /// The interface's own if there is nothing to offer; unknown before the daemon has reported it.
  public var suggestedOrientation: InterfaceOrientation { device.snapshot.screen.suggested }

  /// The suggested orientation, and each change, while a loop waits for them; the sensor runs meanwhile.
  public var suggestedOrientations: OrientationUpdates<InterfaceOrientation> {
    device.updates(generating: true, beginningAfter: .unknown) { $0.screen.suggested }
  }

  /// Whether this program may rotate the interface by hand.
  ///
  /// - Throws: ``OrientationError``: `limitsExceeded`, or no daemon answers.
  public func permissionToRotate() async throws(OrientationError) -> Permission {
    try await permission("CanRotate")
  }

  /// Rotates the interface by hand, whether or not rotation is locked; the person may have to authenticate.
  ///
  /// - Parameter orientation: one that the person and the newest hold allow.
  /// - Throws: ``OrientationError``: `unsupportedOrientation`, `invalidArguments` for unknown, `notAuthorized`, `limitsExceeded`, or no
  ///   daemon answers.
  public func rotate(to orientation: InterfaceOrientation) async throws(OrientationError) {
    try await device.daemon.call(
      .screen("Rotate", .uint32(orientation.rawValue), authorization: .interactive))
  }
}
