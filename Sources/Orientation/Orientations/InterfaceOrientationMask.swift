// SPDX-License-Identifier: Apache-2.0

/// A set of interface orientations: UIKit's UIInterfaceOrientationMask, `1 << raw` for each member.
public struct InterfaceOrientationMask: OptionSet, Hashable, Sendable {
  /// The bits, as UIKit numbers them.
  public var rawValue: UInt32

  /// Creates a set from UIKit's bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// A set with one orientation; empty for unknown.
  public init(_ orientation: InterfaceOrientation) {
    rawValue = orientation == .unknown ? 0 : 1 << orientation.rawValue
  }

  /// Only portrait: 2.
  public static let portrait = InterfaceOrientationMask(.portrait)
  /// Only portrait upside down: 4.
  public static let portraitUpsideDown = InterfaceOrientationMask(.portraitUpsideDown)
  /// Only landscape right: 8.
  public static let landscapeRight = InterfaceOrientationMask(.landscapeRight)
  /// Only landscape left: 16.
  public static let landscapeLeft = InterfaceOrientationMask(.landscapeLeft)
  /// Both landscapes: 24.
  public static let landscape: InterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
  /// All four: 30.
  public static let all: InterfaceOrientationMask = [.portrait, .portraitUpsideDown, .landscape]
  /// All except portrait upside down: 26.
  public static let allButUpsideDown: InterfaceOrientationMask = [.portrait, .landscape]

  /// The default orientation of the set: the first member of portrait, landscapeLeft, landscapeRight and
  /// portraitUpsideDown; nil for a set without one of them.
  package var first: InterfaceOrientation? {
    let order: [InterfaceOrientation] = [.portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown]
    return order.first { contains($0) }
  }

  /// The names of the orientations in the set, in the order of UIKit's numbers.
  public var names: [String] { InterfaceOrientation.allCases.filter { contains($0) }.map { $0.name } }

  /// The set of the orientations with these names; other names are left out.
  package init(names: [String]) {
    self = names.reduce(into: []) {
      $0.formUnion(InterfaceOrientationMask(InterfaceOrientation(name: $1) ?? .unknown))
    }
  }

  /// Whether the set contains this orientation; unknown is in no set.
  public func contains(_ orientation: InterfaceOrientation) -> Bool {
    orientation != .unknown && isSuperset(of: InterfaceOrientationMask(orientation))
  }
}
