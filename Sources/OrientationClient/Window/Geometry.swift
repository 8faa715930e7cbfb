// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A rectangle with its origin in the upper left corner, x to the right and y down: CoreGraphics' CGRect as in UIKit.
public struct ScreenRectangle<Scalar: SignedNumeric & Comparable & Sendable>: Equatable, Sendable {
  /// The left edge.
  public var x: Scalar
  /// The upper edge.
  public var y: Scalar
  /// The width and the height, neither below zero.
  public var size: ScreenSize<Scalar>

  /// Creates a rectangle.
  public init(x: Scalar, y: Scalar, size: ScreenSize<Scalar>) {
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
  public func turned(by turn: QuarterTurn, in bounds: ScreenSize<Scalar>) -> ScreenRectangle {
    let fromRight = bounds.width - x - size.width
    let fromBottom = bounds.height - y - size.height
    let turned = size.turned(by: turn)
    return switch turn {
    case .zero: self
    case .clockwise: ScreenRectangle(x: fromBottom, y: x, size: turned)
    case .half: ScreenRectangle(x: fromRight, y: fromBottom, size: turned)
    case .counterclockwise: ScreenRectangle(x: y, y: fromRight, size: turned)
    }
  }
}

/// A point, x to the right and y down: CoreGraphics' CGPoint as in UIKit.
public struct ScreenPoint<Scalar: SignedNumeric & Comparable & Sendable>: Equatable, Sendable {
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

/// A width and a height, in points or pixels: CoreGraphics' CGSize, of any signed number.
public struct ScreenSize<Scalar: SignedNumeric & Comparable & Sendable>: Equatable, Sendable {
  /// From left to right.
  public var width: Scalar
  /// From top to bottom.
  public var height: Scalar

  /// Creates a size.
  public init(width: Scalar, height: Scalar) {
    self.width = width
    self.height = height
  }

  /// The size after a turn.
  public func turned(by turn: QuarterTurn) -> ScreenSize {
    turn.swapsSides ? ScreenSize(width: height, height: width) : self
  }
}

extension ScreenSize where Scalar: FixedWidthInteger {
  /// The frame size for a video encoder, for frames that are upright in an orientation.
  ///
  /// The longer side is the height in portrait and the width in landscape, independent of the order of this size's sides.
  /// For an unknown orientation, the sides keep their order. Both sides are rounded down to even numbers, and are at least
  /// 2, because 4:2:0 video has one sample of colour for two by two pixels (ITU-T H.264, 6.2). The frames themselves are
  /// turned as well, if the camera is built in upright for the panel: with `turn = QuarterTurn(from: natural.interface, to: orientation)`
  /// and ``OrientationDevice/naturalOrientation``, those of a camera beside the screen clockwise by `turn`, and those of a camera on the
  /// back, which looks the other way, by `-turn`.
  ///
  /// - Parameter orientation: the interface's.
  /// - Returns: the size in pixels.
  public func encoderSize(for orientation: InterfaceOrientation) -> ScreenSize {
    let isWrongWay = orientation.isPortrait ? width > height : orientation.isLandscape && height > width
    let size = isWrongWay ? ScreenSize(width: height, height: width) : self
    return ScreenSize(width: Self.even(size.width), height: Self.even(size.height))
  }

  private static func even(_ side: Scalar) -> Scalar {
    side < 2 ? 2 : side - side % 2
  }
}
