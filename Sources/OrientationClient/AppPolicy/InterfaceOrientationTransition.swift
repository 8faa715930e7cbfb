// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A change of the interface's orientation.
public struct InterfaceOrientationTransition: Equatable, Sendable {
  /// The orientation before; not unknown.
  public let from: InterfaceOrientation
  /// The orientation after; not unknown, and another one.
  public let to: InterfaceOrientation
  /// The turn of the interface on the screen, in the shorter direction, clockwise positive.
  public let turn: QuarterTurn
  /// Whether people see the change, so that it may be animated.
  ///
  /// False for what has changed before the app came to the foreground.
  public let mayBeAnimated: Bool

  /// Creates a transition; nil if either orientation is unknown, or both are the same.
  init?(from: InterfaceOrientation, to: InterfaceOrientation, mayBeAnimated: Bool) {
    guard from != to, let turn = QuarterTurn(from: from, to: to) else { return nil }
    self.from = from
    self.to = to
    self.turn = turn
    self.mayBeAnimated = mayBeAnimated
  }
}

/// What a controller reports of a transition; each `will` is followed by its `did`.
public enum InterfaceOrientationEvent: Equatable, Sendable {
  /// The interface is about to change: UIKit's viewWillTransition(to:with:).
  case will(InterfaceOrientationTransition)
  /// The interface has changed: the completion of UIKit's transition coordinator.
  case did(InterfaceOrientationTransition)
}
