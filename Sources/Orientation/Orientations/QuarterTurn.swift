// SPDX-License-Identifier: Apache-2.0

// How far a picture is turned on the screen, in quarters. Clockwise is that of the viewer of the screen, and is counted
// positive, as in UIKit, where y points down, and as AVFoundation's videoRotationAngle.
//
// The picture and the device turn in opposite directions: when the device is turned clockwise from portrait, its left edge
// is up, and the interface, now landscapeLeft, must turn counterclockwise on the screen to stay upright.

/// A turn of a picture on the screen by a multiple of 90 degrees.
///
/// UIKit passes one to viewWillTransition(to:with:) as the coordinator's targetTransform.
public enum QuarterTurn: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// Not turned.
  case zero = 0
  /// By 90 degrees clockwise.
  case clockwise = 90
  /// By 180 degrees, for which both directions are equally long.
  case half = 180
  /// By 90 degrees counterclockwise.
  case counterclockwise = -90

  /// The angle in the shorter direction, in degrees, clockwise positive: -90, 0, 90 or 180.
  public var degrees: Int { rawValue }

  /// The angle in the shorter direction, in radians, clockwise positive: -π/2, 0, π/2 or π.
  public var radians: Double { Double(rawValue) / 180 * .pi }

  /// The turn of an interface from one orientation to another, on a screen that is not moved.
  ///
  /// Nil if either is unknown.
  ///
  /// - Parameters:
  ///   - old: the present orientation.
  ///   - new: the next orientation.
  public init?(from old: InterfaceOrientation, to new: InterfaceOrientation) {
    guard let start = old.turnFromPortrait, let end = new.turnFromPortrait else { return nil }
    self = end - start
  }

  /// Whether width and height are exchanged.
  public var swapsSides: Bool { self == .clockwise || self == .counterclockwise }

  /// One turn after the other: angles are added, whole turns are zero.
  public static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(quarters: first.quarters + second.quarters)
  }

  /// A turn, and then another one in the opposite direction.
  public static func - (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(quarters: first.quarters - second.quarters)
  }

  /// The opposite turn.
  public static prefix func - (turn: QuarterTurn) -> QuarterTurn { .zero - turn }

  /// How many quarters it is clockwise, 0 to 3.
  var quarters: Int { degrees / 90 & 3 }

  private init(quarters: Int) { self = Self.allCases[quarters & 3] }
}

extension InterfaceOrientation {
  /// The turn of the interface on the screen from portrait; nil for unknown.
  fileprivate var turnFromPortrait: QuarterTurn? {
    switch self {
    case .unknown: nil
    case .portrait: .zero
    case .landscapeRight: .clockwise
    case .portraitUpsideDown: .half
    case .landscapeLeft: .counterclockwise
    }
  }
}
