// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// A width and a height, in points or pixels: CoreGraphics' CGSize, of any signed number.
public struct Size<Scalar: SignedNumeric & Comparable & Sendable>: Equatable, Sendable {
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
  public func turned(by turn: QuarterTurn) -> Size {
    turn.swapsSides ? Size(width: height, height: width) : self
  }
}

extension Size where Scalar: FixedWidthInteger {
  /// The frame size for a video encoder, for frames that are upright in an orientation.
  ///
  /// The longer side is the height in portrait and the width in landscape, independent of the order of this size's sides.
  /// For an unknown orientation, the sides keep their order. Both sides are rounded down to even numbers, and are at least
  /// 2, because 4:2:0 video has one sample of colour for two by two pixels (ITU-T H.264, 6.2). A `QuarterTurn` turns the
  /// frames themselves.
  ///
  /// - Parameter orientation: the interface's.
  /// - Returns: the size in pixels.
  public func encoderSize(for orientation: InterfaceOrientation) -> Size {
    let isWrongWay = orientation.isPortrait ? width > height : orientation.isLandscape && height > width
    let size = isWrongWay ? Size(width: height, height: width) : self
    return Size(width: Self.even(size.width), height: Self.even(size.height))
  }

  private static func even(_ side: Scalar) -> Scalar {
    side < 2 ? 2 : side - side % 2
  }
}
