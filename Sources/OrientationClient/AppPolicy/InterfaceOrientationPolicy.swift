// SPDX-License-Identifier: Apache-2.0

// Several levels, which do not know of each other, decide on the orientation of an app's interface. In UIKit they are the
// device, the app (UISupportedInterfaceOrientations in its Info.plist), the window (the application delegate's
// application(_:supportedInterfaceOrientationsFor:)) and the front-most view controller. Only an orientation that all of them
// support is possible; among these, the view may prefer one. If none is left and the interface should
// autorotate, UIKit ends the app (UIApplicationInvalidInterfaceOrientation); here an error names the levels that exclude each
// other. It also ends the app if the preferred orientation is not supported; here `unsupportedPreference` tells.

package import Orientation

/// The rules of the levels of an app for its interface's orientation, and what the interface should do by them.
package struct InterfaceOrientationPolicy: Equatable, Sendable {
  /// What each level supports; one without an entry supports all orientations.
  package var supported: [InterfaceOrientationLevel: InterfaceOrientationMask] = [:]
  /// Whether the interface follows the device: the view's UIViewController.shouldAutorotate, or the negation of its successor
  /// prefersInterfaceOrientationLocked (iOS 26).
  package var shouldAutorotate = true
  /// The orientation for the presentation of the view, its UIViewController.preferredInterfaceOrientationForPresentation; nil if it has none.
  package var preferredInterfaceOrientation: InterfaceOrientation?

  /// Creates a policy without restrictions: all orientations, and the interface follows the device.
  package init() {}

  // MARK: The rules of all levels together

  /// The orientations that every level supports; never empty.
  ///
  /// - Throws: ``InterfaceOrientationConflict`` if no orientation is left.
  package var supportedInterfaceOrientations: InterfaceOrientationMask {
    get throws(InterfaceOrientationConflict) {
      let supported = supported(by: InterfaceOrientationLevel.frontToBack)
      guard supported.isEmpty else { return supported }
      throw conflict
    }
  }

  /// The ``preferredInterfaceOrientation``, if it is not supported; otherwise nil.
  ///
  /// A presentation then takes a supported orientation instead; see ``orientation(in:)``.
  package var unsupportedPreference: UnsupportedInterfaceOrientationPreference? {
    let supported = supported(by: InterfaceOrientationLevel.frontToBack)
    guard let preferred = preferredInterfaceOrientation, preferred != .unknown, !supported.contains(preferred)
    else { return nil }
    return UnsupportedInterfaceOrientationPreference(
      level: .view, preferred: preferred, excludedBy: claims(excluding: InterfaceOrientationMask(preferred)))
  }

  // MARK: What to do

  /// The orientation that the interface should have.
  ///
  /// If a view is presented that prefers a supported orientation, it is that one, however the device is held. Else it follows the device
  /// if it should, and stays if it may, as UIViewController's setNeedsUpdateOfSupportedInterfaceOrientations() and
  /// attemptRotationToDeviceOrientation() have it. If it may not stay, it takes the orientation that is upright on the device if that is
  /// supported, else the `InterfaceOrientationMask.first` that is. One that does not autorotate stays if no orientation is left, as in
  /// UIKit: it has none to rotate to.
  ///
  /// - Parameter state: the screen, with the present orientation of the interface.
  /// - Returns: a supported orientation, or the present one.
  /// - Throws: ``InterfaceOrientationConflict`` if no orientation is left and the interface should autorotate; it should then
  ///   stay as it is.
  package func orientation(
    in state: ScreenState
  ) throws(InterfaceOrientationConflict) -> InterfaceOrientation {
    if !shouldAutorotate, supported(by: InterfaceOrientationLevel.frontToBack).isEmpty {
      return state.interface
    }
    let supported = try supportedInterfaceOrientations
    if let preferred = preferredInterfaceOrientation, supported.contains(preferred) { return preferred }
    if shouldAutorotate, let upright = state.upright, supported.contains(upright) { return upright }
    if supported.contains(state.interface) { return state.interface }
    if let upright = InterfaceOrientation(uprightOn: state.device), supported.contains(upright) {
      return upright
    }
    return supported.first ?? state.interface
  }

  // MARK: Conflicts

  private func supported(by levels: [InterfaceOrientationLevel]) -> InterfaceOrientationMask {
    levels.reduce(.all) { $0.intersection(supported[$1] ?? .all) }
  }

  /// The smallest set of levels that leaves no orientation; of several such sets, the front-most.
  private var conflict: InterfaceOrientationConflict {
    let levels = InterfaceOrientationLevel.frontToBack
    for count in 1..<levels.count {
      for set in 1..<(1 << levels.count) where set.nonzeroBitCount == count {
        let members = levels.indices.filter { set >> $0 & 1 == 1 }.map { levels[$0] }
        if supported(by: members).isEmpty { return conflict(of: members) }
      }
    }
    return conflict(of: levels)
  }

  private func conflict(of members: [InterfaceOrientationLevel]) -> InterfaceOrientationConflict {
    InterfaceOrientationConflict(claims: members.map(claim))
  }

  private func claim(of level: InterfaceOrientationLevel) -> InterfaceOrientationConflict.Claim {
    InterfaceOrientationConflict.Claim(level: level, supported: supported(by: [level]))
  }

  /// The levels that do not support all of some orientations, front to back.
  func claims(excluding orientations: InterfaceOrientationMask) -> [InterfaceOrientationConflict.Claim] {
    InterfaceOrientationLevel.frontToBack.map(claim).filter { !$0.supported.isSuperset(of: orientations) }
  }
}
