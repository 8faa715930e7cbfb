// SPDX-License-Identifier: Apache-2.0

public import Orientation

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

  /// Creates a transition; nil if the next orientation is unknown, or is the present one.
  init?(from: InterfaceOrientation, to: InterfaceOrientation, mayBeAnimated: Bool) {
    guard from != to, to != .unknown else { return nil }
    self.from = from
    self.to = to
    turn = QuarterTurn(from: from, to: to) ?? .zero
    self.mayBeAnimated = mayBeAnimated && from != .unknown
  }
}
