// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// The levels that have rules for the orientation of an app's interface, from back to front.
public enum InterfaceOrientationLevel: Sendable, BitwiseCopyable {
  /// The device's configuration.
  case device
  /// The app.
  case app
  /// The window.
  case window
  /// The front-most view, or its view controller.
  case view

  /// The order in which a policy reads their rules.
  static let frontToBack: [InterfaceOrientationLevel] = [.view, .window, .app, .device]

  /// The name for people.
  public var name: String {
    switch self {
    case .device: "device"
    case .app: "app"
    case .window: "window"
    case .view: "view"
    }
  }
}

/// The rules of one level for the interface's orientation; the defaults restrict nothing.
package struct InterfaceOrientationRules: Equatable, Sendable {
  /// Whether the interface follows the device; nil leaves the decision to the level behind.
  ///
  /// UIViewController's shouldAutorotate, or the negation of its successor prefersInterfaceOrientationLocked (iOS 26).
  package var shouldAutorotate: Bool?
  /// The orientations in which this level can be shown: UIViewController's supportedInterfaceOrientations.
  package var supportedInterfaceOrientations: InterfaceOrientationMask
  /// The orientation for the presentation; nil leaves the decision to the level behind.
  ///
  /// UIViewController's preferredInterfaceOrientationForPresentation. If the orientation is not supported, the interface takes
  /// another one, and ``InterfaceOrientationPolicy/unsupportedPreference`` tells.
  package var preferredInterfaceOrientation: InterfaceOrientation?

  /// Creates the rules of a level.
  package init(
    shouldAutorotate: Bool? = nil, supportedInterfaceOrientations: InterfaceOrientationMask = .all,
    preferredInterfaceOrientation: InterfaceOrientation? = nil
  ) {
    self.shouldAutorotate = shouldAutorotate
    self.supportedInterfaceOrientations = supportedInterfaceOrientations
    self.preferredInterfaceOrientation = preferredInterfaceOrientation
  }
}

/// The present orientations of interface and device, for the decisions of a policy.
package struct InterfaceSituation: Equatable, Sendable {
  /// The orientation of the interface; unknown before it is first shown.
  package var interface: InterfaceOrientation
  /// How the device is held: the `Orientation` property on D-Bus, or UIDevice's orientation.
  package var device: DeviceOrientation
  /// Whether the user has locked the rotation, so that no interface follows the device.
  package var lock: RotationLock

  /// Creates a situation.
  package init(interface: InterfaceOrientation, device: DeviceOrientation, lock: RotationLock = .unlocked) {
    self.interface = interface
    self.device = device
    self.lock = lock
  }

  /// The decision that leads to an orientation from this situation.
  func decision(for orientation: InterfaceOrientation) -> InterfaceOrientationDecision {
    orientation == interface ? .stay : .rotate(to: orientation)
  }
}

/// What an interface should do.
package enum InterfaceOrientationDecision: Equatable, Sendable {
  /// Stay as it is.
  case stay
  /// Rotate to another orientation.
  case rotate(to: InterfaceOrientation)
}
