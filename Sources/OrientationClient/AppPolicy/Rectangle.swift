// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A rectangle from its upper left corner on, x to the right and y down: CoreGraphics' CGRect as UIKit has it.
public struct Rectangle<Scalar: SignedNumeric & Comparable & Sendable>: Equatable, Sendable {
  /// The left edge.
  public var x: Scalar
  /// The upper edge.
  public var y: Scalar
  /// The width and the height, neither below zero.
  public var size: Size<Scalar>

  /// Creates a rectangle.
  public init(x: Scalar, y: Scalar, size: Size<Scalar>) {
    self.x = x
    self.y = y
    self.size = size
  }

  /// Where the rectangle is after the picture that it is a part of was turned.
  ///
  /// UIKit converts so between the coordinate spaces of a UIScreen, which turn with the interface and stay.
  ///
  /// - Parameters:
  ///   - turn: how the picture is turned.
  ///   - bounds: the size of the picture before; its upper left corner is 0, 0 before and after.
  /// - Returns: the rectangle in the turned picture, whose size is `bounds.turned(by: turn)`.
  public func turned(by turn: QuarterTurn, in bounds: Size<Scalar>) -> Rectangle {
    let fromRight = bounds.width - x - size.width
    let fromBottom = bounds.height - y - size.height
    let turned = size.turned(by: turn)
    return switch turn {
    case .zero: self
    case .clockwise: Rectangle(x: fromBottom, y: x, size: turned)
    case .half: Rectangle(x: fromRight, y: fromBottom, size: turned)
    case .counterclockwise: Rectangle(x: y, y: fromRight, size: turned)
    }
  }
}
