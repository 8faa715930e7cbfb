// SPDX-License-Identifier: Apache-2.0

// For apps that turn a window themselves, on a screen that does not turn with the interface. Examples for this on the web
// disagree on the sign of the angle, because the landscapes of device and interface have each other's names, and because y points
// up outside of UIKit. This is UIKit's: clockwise is positive and y points down, so on a portrait panel the interface landscapeRight is
// turned by +90 degrees. Most examples know portrait panels only; on a 2-in-1 the same turn would be wrong by a quarter.

public import Orientation

/// Where a window that fills the screen is, if it is turned to an orientation: UIView's bounds, center and rotation.
public struct WindowPlacement<Scalar: BinaryFloatingPoint & Sendable>: Equatable, Sendable {
  /// The window in its own coordinates, which turn with it: its origin is 0, 0, and it is wide in landscape.
  public let bounds: ScreenRectangle<Scalar>
  /// The centre of the window in the screen's coordinates, which do not turn: the same for all orientations.
  public let center: ScreenPoint<Scalar>
  /// The turn of the window about its centre, clockwise positive; it has `degrees` and `radians`.
  public let turn: QuarterTurn

  /// Creates the placement of a window.
  ///
  /// Nil if the orientation is unknown.
  ///
  /// - Parameters:
  ///   - panel: the size of the screen without a turn: wide on a landscape panel.
  ///   - natural: the orientation of the device for which the panel needs no turn: ``OrientationDevice/naturalOrientation``.
  ///   - orientation: the interface's.
  public init?(
    on panel: ScreenSize<Scalar>, natural: NaturalOrientation, in orientation: InterfaceOrientation
  ) {
    guard let turn = QuarterTurn(from: natural.interface, to: orientation) else { return nil }
    self.turn = turn
    center = ScreenRectangle(x: 0, y: 0, size: panel).center
    bounds = ScreenRectangle(x: 0, y: 0, size: panel.turned(by: turn))
  }
}

extension ScreenRectangle where Scalar: BinaryFloatingPoint {
  /// The point in the middle.
  public var center: ScreenPoint<Scalar> { ScreenPoint(x: x + size.width / 2, y: y + size.height / 2) }
}
