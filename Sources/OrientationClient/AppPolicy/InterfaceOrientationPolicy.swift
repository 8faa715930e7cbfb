// SPDX-License-Identifier: Apache-2.0

// Several levels, which do not know of each other, decide on the orientation of an app's interface. In UIKit they are the
// device, the app (UISupportedInterfaceOrientations in its Info.plist), the window (the application delegate's
// application(_:supportedInterfaceOrientationsFor:)) and the front-most view controller. Only an orientation that all of them
// support is possible; among these, the front-most level with a preference decides. If none is left and the interface should
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
  /// A presentation then takes a supported orientation instead; see ``present(in:)``.
  package var unsupportedPreference: UnsupportedInterfaceOrientationPreference? {
    let supported = supported(by: InterfaceOrientationLevel.frontToBack)
    guard let preferred = preferredInterfaceOrientation, preferred != .unknown, !supported.contains(preferred)
    else { return nil }
    return UnsupportedInterfaceOrientationPreference(
      level: .view, preferred: preferred, excludedBy: claims(excluding: InterfaceOrientationMask(preferred)))
  }

  // MARK: What to do
  //
  // An interface that does not autorotate stays as it is if no orientation is left, as in UIKit: it has none to rotate to.

  /// What the interface should do after a level's rules have changed.
  ///
  /// UIViewController's setNeedsUpdateOfSupportedInterfaceOrientations(). If the present orientation is supported, the
  /// interface follows the device if it should, and else stays. Otherwise it takes the preferred orientation if that is
  /// supported, else the one that is upright on the device, else the `InterfaceOrientationMask.first` that is supported.
  ///
  /// - Parameter situation: the present orientations of interface and device.
  /// - Returns: the orientation to take: a supported one, or the present one.
  /// - Throws: ``InterfaceOrientationConflict`` if no orientation is left and the interface should autorotate; it should then
  ///   stay as it is.
  package func setNeedsUpdateOfSupportedInterfaceOrientations(
    in situation: InterfaceSituation
  ) throws(InterfaceOrientationConflict) -> InterfaceOrientation {
    guard let supported = try orientationsToChooseFrom else { return situation.interface }
    guard supported.contains(situation.interface) else { return substitute(among: supported, in: situation) }
    return followed(among: supported, in: situation) ?? situation.interface
  }

  /// What the interface should do to be upright on the device, on request or after the device was turned.
  ///
  /// UIViewController's attemptRotationToDeviceOrientation(). The interface follows the device if it should and can; else
  /// it stays, if its present orientation is supported.
  ///
  /// - Parameter situation: the present orientations of interface and device.
  /// - Returns: the orientation to take: a supported one, or the present one.
  /// - Throws: ``InterfaceOrientationConflict`` if no orientation is left and the interface should autorotate; it should then
  ///   stay as it is.
  package func attemptRotationToDeviceOrientation(
    in situation: InterfaceSituation
  ) throws(InterfaceOrientationConflict) -> InterfaceOrientation {
    guard let supported = try orientationsToChooseFrom else { return situation.interface }
    if let followed = followed(among: supported, in: situation) { return followed }
    if supported.contains(situation.interface) { return situation.interface }
    return substitute(among: supported, in: situation)
  }

  /// What the interface should do when a view is presented on the whole screen.
  ///
  /// This is what UIViewController's preferredInterfaceOrientationForPresentation is for: if the preferred orientation is
  /// supported, the interface takes it, independent of how the device is held. Else the decision is that of
  /// ``setNeedsUpdateOfSupportedInterfaceOrientations(in:)``, and ``unsupportedPreference`` is not nil.
  ///
  /// - Parameter situation: the present orientations of interface and device.
  /// - Returns: the orientation to take: a supported one, or the present one.
  /// - Throws: ``InterfaceOrientationConflict`` if no orientation is left and the interface should autorotate; it should then
  ///   stay as it is.
  package func present(
    in situation: InterfaceSituation
  ) throws(InterfaceOrientationConflict) -> InterfaceOrientation {
    guard let supported = try orientationsToChooseFrom else { return situation.interface }
    if let preferred = preferredInterfaceOrientation, supported.contains(preferred) { return preferred }
    return try setNeedsUpdateOfSupportedInterfaceOrientations(in: situation)
  }

  /// The supported orientations; nil if there are none and the interface does not autorotate.
  private var orientationsToChooseFrom: InterfaceOrientationMask? {
    get throws(InterfaceOrientationConflict) {
      if !shouldAutorotate, supported(by: InterfaceOrientationLevel.frontToBack).isEmpty { return nil }
      return try supportedInterfaceOrientations
    }
  }

  /// The orientation that is upright on the device, if the interface should follow and it is supported.
  private func followed(
    among supported: InterfaceOrientationMask, in situation: InterfaceSituation
  ) -> InterfaceOrientation? {
    guard shouldAutorotate, situation.lock == .unlocked else { return nil }
    return InterfaceOrientation(uprightOn: situation.device).flatMap { supported.contains($0) ? $0 : nil }
  }

  /// The orientation in place of one that is not supported.
  private func substitute(
    among supported: InterfaceOrientationMask, in situation: InterfaceSituation
  ) -> InterfaceOrientation {
    if let preferred = preferredInterfaceOrientation, supported.contains(preferred) { return preferred }
    if let upright = InterfaceOrientation(uprightOn: situation.device), supported.contains(upright) {
      return upright
    }
    return supported.first ?? situation.interface
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
}
