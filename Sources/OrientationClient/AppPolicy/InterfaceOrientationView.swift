// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A screen of an app, or a container of several, with its rules for the interface's orientation: UIKit's UIViewController.
///
/// All members have defaults, which restrict nothing. A container names the child that decides for it; the container's own rules
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

  /// Called before the interface gets another orientation, if the view is visible; containers before their children.
  func interfaceOrientationWillChange(_ transition: InterfaceOrientationTransition)

  /// Called after the interface has got another orientation, if the view was visible; containers before their children.
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
  public func interfaceOrientationWillChange(_ transition: InterfaceOrientationTransition) {}

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
