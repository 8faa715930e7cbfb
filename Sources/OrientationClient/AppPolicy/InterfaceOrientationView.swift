// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A screen of an app, or a container of several, with its rules for the interface's orientation: UIKit's UIViewController.
///
/// All members have defaults, which restrict nothing. A class from which an app's views inherit declares each member that one of them
/// overrides: of a subclass, Swift asks only for what its parent declares. A container names the child that decides for it; the
/// container's own rules
/// count only while it has none.
@MainActor
public protocol InterfaceOrientationView: AnyObject {
  /// Whether the interface follows the device while this view is in front; the default is true.
  var shouldAutorotate: Bool { get }

  /// The orientations in which the view can be shown; the default is all, as on an iPad.
  var supportedInterfaceOrientations: InterfaceOrientationMask { get }

  /// The orientation in which the view is first shown if it is presented on the whole screen.
  ///
  /// The default is nil: the present orientation. It does not count for a view that is pushed or selected in a container.
  var preferredInterfaceOrientationForPresentation: InterfaceOrientation? { get }

  /// The visible child, whose rules count instead of this view's; the default is nil.
  ///
  /// UIKit's containers have to be subclassed for this.
  var childForInterfaceOrientation: (any InterfaceOrientationView)? { get }

  /// Called when the interface has got another orientation, if the view is visible; containers before their children.
  ///
  /// There is none before it: the daemon turns the screen for all apps, and does not wait for them.
  func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition)
}

extension InterfaceOrientationView {
  /// The interface follows the device.
  public var shouldAutorotate: Bool { true }

  /// All orientations.
  public var supportedInterfaceOrientations: InterfaceOrientationMask { .all }

  /// The present orientation.
  public var preferredInterfaceOrientationForPresentation: InterfaceOrientation? { nil }

  /// No child.
  public var childForInterfaceOrientation: (any InterfaceOrientationView)? { nil }

  /// Does nothing.
  public func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {}

  /// The view, its deciding child, the child's, and so on: the views that are visible, outermost first.
  var chain: [any InterfaceOrientationView] {
    var chain: [any InterfaceOrientationView] = [self]
    // A container that names itself, by whatever detour, ends the chain.
    while let child = chain.last?.childForInterfaceOrientation, !chain.contains(where: { $0 === child }) {
      chain.append(child)
    }
    return chain
  }
}

/// A change of the interface's orientation.
public struct InterfaceOrientationTransition: Equatable, Sendable {
  /// The orientation before; unknown if none was known before this one.
  public let from: InterfaceOrientation
  /// The orientation after; not unknown, and another one.
  public let to: InterfaceOrientation
  /// The turn of the interface on the screen, in the shorter direction, clockwise positive; zero if ``from`` is unknown.
  public let turn: QuarterTurn
  /// Whether people see the change, so that it may be animated.
  ///
  /// False for the first orientation, and for what has changed before the app came to the foreground.
  public let mayBeAnimated: Bool

  /// Creates a transition, as an app's tests may do for ``InterfaceOrientationView/interfaceOrientationDidChange(_:)``; its turn follows.
  ///
  /// It is nil if the orientation after it is unknown, or the same as before. From unknown, it is never animated.
  public init?(from: InterfaceOrientation, to: InterfaceOrientation, mayBeAnimated: Bool) {
    guard from != to, to != .unknown else { return nil }
    self.from = from
    self.to = to
    turn = QuarterTurn(from: from, to: to) ?? .zero
    self.mayBeAnimated = mayBeAnimated && from != .unknown
  }
}
