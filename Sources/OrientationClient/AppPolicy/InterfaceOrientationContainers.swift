// SPDX-License-Identifier: Apache-2.0

/// A container that tells the controller when another child is visible.
@MainActor
protocol InterfaceOrientationContainer: InterfaceOrientationView {
  /// The controller that has asked this container last.
  var controller: InterfaceOrientationController? { get set }
}

/// A stack of views, of which the top one is visible and decides: UIKit's UINavigationController.
@MainActor
public final class NavigationContainer: InterfaceOrientationContainer {
  weak var controller: InterfaceOrientationController?

  /// The views, the top one last; at least the root.
  public private(set) var views: [any InterfaceOrientationView]

  /// Creates a stack of one view.
  public init(root: any InterfaceOrientationView) {
    views = [root]
  }

  /// The top view.
  public var childForInterfaceOrientation: (any InterfaceOrientationView)? { views.last }

  /// Lays a view on top.
  public func push(_ view: any InterfaceOrientationView) {
    views.append(view)
    controller?.setNeedsUpdateOfSupportedInterfaceOrientations()
  }

  /// Removes the top view, unless it is the root.
  ///
  /// - Returns: the removed view; nil for the root.
  @discardableResult
  public func pop() -> (any InterfaceOrientationView)? {
    guard views.count > 1 else { return nil }
    let view = views.removeLast()
    controller?.setNeedsUpdateOfSupportedInterfaceOrientations()
    return view
  }
}

/// Views of which the selected one is visible and decides: UIKit's UITabBarController.
@MainActor
public final class TabContainer: InterfaceOrientationContainer {
  weak var controller: InterfaceOrientationController?

  /// The views.
  public let views: [any InterfaceOrientationView]

  /// The index of the selected view; an index that no view has selects none.
  public var selectedIndex: Int {
    didSet { controller?.setNeedsUpdateOfSupportedInterfaceOrientations() }
  }

  /// Creates a container of some views.
  public init(_ views: [any InterfaceOrientationView], selectedIndex: Int = 0) {
    self.views = views
    self.selectedIndex = selectedIndex
  }

  /// The selected view.
  public var childForInterfaceOrientation: (any InterfaceOrientationView)? {
    views.indices.contains(selectedIndex) ? views[selectedIndex] : nil
  }
}
