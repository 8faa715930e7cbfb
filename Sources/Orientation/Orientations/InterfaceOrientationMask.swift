// SPDX-License-Identifier: Apache-2.0

/// A set of interface orientations: UIKit's UIInterfaceOrientationMask, `1 << raw` for each member.
public struct InterfaceOrientationMask: OptionSet, Hashable, Sendable {
  /// The bits, as UIKit numbers them.
  public var rawValue: UInt32

  /// Creates a set from UIKit's bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The set of one orientation; empty for unknown.
  public init(_ orientation: InterfaceOrientation) {
    rawValue = orientation == .unknown ? 0 : 1 << orientation.rawValue
  }

  /// Portrait alone: 2.
  public static let portrait = InterfaceOrientationMask(.portrait)
  /// Portrait upside down alone: 4.
  public static let portraitUpsideDown = InterfaceOrientationMask(.portraitUpsideDown)
  /// Landscape right alone: 8.
  public static let landscapeRight = InterfaceOrientationMask(.landscapeRight)
  /// Landscape left alone: 16.
  public static let landscapeLeft = InterfaceOrientationMask(.landscapeLeft)
  /// Both landscapes: 24.
  public static let landscape: InterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
  /// All four: 30.
  public static let all: InterfaceOrientationMask = [.portrait, .portraitUpsideDown, .landscape]
  /// All but portrait upside down: 26.
  public static let allButUpsideDown: InterfaceOrientationMask = [.portrait, .landscape]

  /// The orientation to take where nothing else decides: the first member of portrait, landscapeLeft, landscapeRight and
  /// portraitUpsideDown; nil for a set without one of them.
  public var first: InterfaceOrientation? {
    if contains(.portrait) { return .portrait }
    if contains(.landscapeLeft) { return .landscapeLeft }
    if contains(.landscapeRight) { return .landscapeRight }
    if contains(.portraitUpsideDown) { return .portraitUpsideDown }
    return nil
  }

  /// Whether the set has this orientation; unknown is in no set.
  public func contains(_ orientation: InterfaceOrientation) -> Bool {
    orientation != .unknown && isSuperset(of: InterfaceOrientationMask(orientation))
  }
}
