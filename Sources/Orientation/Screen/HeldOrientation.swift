// SPDX-License-Identifier: Apache-2.0

// An app may hold the interface to some orientations while it is on the screen, as the topmost view controller does in UIKit. A
// hold is laid over what the person and the device do, and changes none of that: when it ends, the interface has the orientation
// that it would have without it.

/// The orientation of the interface on the device's own screen, with the hold of an app laid over it.
public struct HeldOrientation: Equatable, Sendable {
  /// What the interface would do without the hold.
  public private(set) var unheld: ScreenOrientation

  private var hold: InterfaceOrientationMask?
  /// What the hold makes of it; nil if no hold counts.
  private var held: InterfaceOrientation?

  /// Lays no hold over an interface.
  public init(_ unheld: ScreenOrientation) {
    self.unheld = unheld
  }

  /// The interface's orientation; never unknown.
  public var current: InterfaceOrientation { held ?? unheld.current }

  /// What the interface may have now: what the person supports, and of that what the hold allows; never empty.
  ///
  /// A hold that allows none of it waits, and counts for nothing.
  public var effective: InterfaceOrientationMask {
    guard let hold, case let both = unheld.supported.intersection(hold), !both.isEmpty else {
      return unheld.supported
    }
    return both
  }

  /// The orientation that an attempt to rotate to the device's would lead to now; the present one if nothing would happen.
  public var deviceCounterpart: InterfaceOrientation {
    effective.contains(unheld.deviceCounterpart) ? unheld.deviceCounterpart : current
  }

  /// The orientation that the interface would take if rotation were unlocked now.
  ///
  /// - Parameter device: how the device is held in fact, which the lock may hide from the interface.
  /// - Returns: that orientation; the present one while rotation is unlocked.
  public func suggested(on device: DeviceOrientation) -> InterfaceOrientation {
    guard unheld.lock == .locked else { return current }
    var unlocked = self
    unlocked.change {
      $0.deviceTurned(to: device)
      $0.set(.unlocked)
    }
    return unlocked.current
  }

  // MARK: What moves it

  /// Has something happen to the interface that is not the hold.
  public mutating func change(_ change: (inout ScreenOrientation) -> Void) {
    change(&unheld)
    settle()
  }

  /// Says which orientations the interface may have without the hold; see ``ScreenOrientation/support(_:)``.
  ///
  /// - Throws: ``UnsupportedOrientation/empty``, and nothing has changed.
  public mutating func support(_ mask: InterfaceOrientationMask) throws(UnsupportedOrientation) {
    try unheld.support(mask)
    settle()
  }

  /// Rotates the interface by hand, if the orientation is among the ``effective`` ones.
  ///
  /// - Parameter orientation: not unknown.
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``, and nothing has changed.
  public mutating func rotate(to orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    try check(orientation)
    try unheld.rotate(to: orientation)
    settle()
  }

  /// Whether the orientation is one that the interface may have now.
  ///
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``
  public func check(_ orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    guard effective.contains(orientation) else { throw .notSupported(effective) }
  }

  /// Lays another hold over the interface; nil takes it away.
  public mutating func hold(_ mask: InterfaceOrientationMask?) {
    hold = mask
    settle()
  }

  /// Finds the orientation under the hold: what there would be without it, else the device's, else the one that there is, else the
  /// first.
  ///
  /// A locked interface turns with the device only if it must not stay as it is.
  private mutating func settle() {
    let present = current
    guard hold != nil, case let allowed = effective, allowed != unheld.supported else { return held = nil }
    let isFree = unheld.lock == .unlocked || !allowed.contains(present)
    held =
      if allowed.contains(unheld.current) {
        unheld.current
      } else if isFree, let leader = unheld.leader, allowed.contains(leader) {
        leader
      } else if allowed.contains(present) {
        present
      } else {
        allowed.first
      }
  }
}
