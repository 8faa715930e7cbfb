// SPDX-License-Identifier: Apache-2.0

// How far a picture is turned on the screen, in quarters. Clockwise is what the viewer of the screen calls so, and is counted
// positive, as in UIKit, where y points down, and as AVFoundation's videoRotationAngle.
//
// Picture and device turn against each other: turned clockwise from portrait, the device has its left edge up, and the
// interface, now landscapeLeft, must turn counterclockwise on the screen to stay upright.

/// A turn of a picture on the screen by a multiple of 90 degrees.
///
/// UIKit hands one to viewWillTransition(to:with:) as the coordinator's targetTransform.
public enum QuarterTurn: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// Not turned.
  case zero = 0
  /// By 90 degrees clockwise.
  case clockwise = 90
  /// By 180 degrees, for which neither way is the shorter one.
  case half = 180
  /// By 90 degrees counterclockwise.
  case counterclockwise = -90

  /// The angle the shorter way round, in degrees, clockwise positive: -90, 0, 90 or 180.
  public var degrees: Int { rawValue }

  /// The turn that takes an interface from one orientation to another, on a screen that stays where it is.
  ///
  /// Nil where either is unknown.
  ///
  /// - Parameters:
  ///   - old: how the interface stands now.
  ///   - new: how it is to stand.
  public init?(from old: InterfaceOrientation, to new: InterfaceOrientation) {
    guard let start = old.turnFromPortrait, let end = new.turnFromPortrait else { return nil }
    self = end - start
  }

  /// Whether width and height change places.
  public var swapsSides: Bool { self == .clockwise || self == .counterclockwise }

  /// One turn after the other: angles add up, whole turns are zero.
  public static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(quarters: first.quarters + second.quarters)
  }

  /// A turn, and another one back.
  public static func - (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(quarters: first.quarters - second.quarters)
  }

  /// The turn back.
  public static prefix func - (turn: QuarterTurn) -> QuarterTurn { .zero - turn }

  private var quarters: Int {
    switch self {
    case .zero: 0
    case .clockwise: 1
    case .half: 2
    case .counterclockwise: 3
    }
  }

  private init(quarters: Int) {
    switch quarters & 3 {
    case 1: self = .clockwise
    case 2: self = .half
    case 3: self = .counterclockwise
    default: self = .zero
    }
  }
}

extension InterfaceOrientation {
  /// How the interface is turned on the screen against portrait; nil for unknown.
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
