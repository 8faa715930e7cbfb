// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A rectangle with its origin in the upper left corner, x to the right and y down: CoreGraphics' CGRect as in UIKit.
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

  /// The rectangle after a turn of the picture that contains it.
  ///
  /// UIKit converts in this way between the two coordinate spaces of a UIScreen, of which one turns with the interface.
  ///
  /// - Parameters:
  ///   - turn: the turn of the picture.
  ///   - bounds: the size of the picture before the turn; its upper left corner is 0, 0 before and after it.
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
