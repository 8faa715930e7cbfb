// SPDX-License-Identifier: Apache-2.0

/// A point, x to the right and y down: CoreGraphics' CGPoint as in UIKit.
public struct Point<Scalar: SignedNumeric & Comparable & Sendable>: Equatable, Sendable {
  /// From left to right.
  public var x: Scalar
  /// From top to bottom.
  public var y: Scalar

  /// Creates a point.
  public init(x: Scalar, y: Scalar) {
    self.x = x
    self.y = y
  }
}
