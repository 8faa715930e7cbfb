// SPDX-License-Identifier: Apache-2.0

/// Whether a convertible is a laptop or a tablet by the angle of its hinge, with hysteresis.
///
/// The angle is 0 if it is closed, 180 if it lies flat, and 360 if it is folded back.
package struct HingePosition: Equatable, Sendable, BitwiseCopyable {
  /// Below this angle, in degrees, it is a laptop.
  package static let laptopLimit = 160.0
  /// Above this angle, in degrees, it is a tablet.
  package static let tabletLimit = 200.0
  /// By how much an angle may be out of the circle: a driver's scale is rounded.
  private static let rounding = 0.5

  /// The mode.
  package private(set) var mode = TabletMode.unknown
  /// The last mode that was known.
  private var known = TabletMode.unknown

  /// Nothing is known yet.
  package init() {}

  /// The position that follows this one.
  ///
  /// Between the limits, the mode is the last one that was known.
  ///
  /// - Parameter degrees: the angle; a number that is no angle from 0 to 360 makes the mode unknown.
  /// - Returns: the next position, or the same.
  package func moved(to degrees: Double) -> HingePosition {
    var next = self
    switch degrees {
    case -Self.rounding..<Self.laptopLimit: next.known = .laptop
    case Self.laptopLimit...Self.tabletLimit: break
    case Self.tabletLimit...360 + Self.rounding: next.known = .tablet
    default:
      next.mode = .unknown
      return next
    }
    next.mode = next.known
    return next
  }
}
