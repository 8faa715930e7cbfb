// SPDX-License-Identifier: Apache-2.0

// This folder: what is known of the outputs of a desktop, which of them is the tablet's own panel, and what must change so that the
// panel is turned and nothing else is. Nothing here depends on how the outputs are reached.

package import Orientation

/// An output of a desktop, as the desktop reports it.
package struct Output: Equatable, Sendable {
  /// How many a desktop can have; the time to arrange them grows with their square.
  package static let most = 100

  /// The connector, such as "DSI-1".
  package var name: String
  /// Whether it shows a part of the desktop.
  package var isEnabled = true
  /// Whether the desktop has named a mode of it without a size.
  ///
  /// One that is reported as disabled and with such a mode may be enabled: sway up to 1.8 reports its virtual outputs so.
  package var hasModeWithoutSize = false
  /// The present mode in pixels, before the transform; nil while it is not known.
  package var mode: PixelSize?
  /// Where its upper left corner is on the desktop.
  package var position = DesktopPosition(x: 0, y: 0)
  /// How many pixels an edge of a point has.
  package var scale = 1.0
  /// How its picture is turned.
  package var transform = OutputTransform.normal
  /// Whether its picture is mirrored, too.
  package var isMirrored = false

  /// Creates an enabled output without a mode at the origin.
  package init(name: String) { self.name = name }

  /// Whether it is not certain that it is disabled.
  var isDoubtful: Bool { !isEnabled && hasModeWithoutSize }

  /// The part of the desktop that it would show with a transform; nil if its mode is not known.
  func size(turned transform: OutputTransform) -> DesktopSize? {
    guard let mode, scale > 0 else { return nil }
    let isSideways = transform == .quarter || transform == .threeQuarters
    return DesktopSize(
      width: Self.points(isSideways ? mode.height : mode.width, scale: scale),
      height: Self.points(isSideways ? mode.width : mode.height, scale: scale))
  }

  /// Compositors divide in single precision, and drop the fraction.
  private static func points(_ pixels: Int32, scale: Double) -> Int32 {
    let points = Float(pixels) / Float(scale)
    return abs(points) < 0x1p31 ? Int32(points) : 0
  }
}

/// A size in pixels.
package struct PixelSize: Equatable, Sendable {
  /// From left to right.
  package var width: Int32
  /// From top to bottom.
  package var height: Int32

  /// Creates a size.
  package init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
}

/// A point of a desktop.
package struct DesktopPosition: Equatable, Sendable {
  /// From the left.
  package var x: Int32
  /// From the top.
  package var y: Int32

  /// Creates a point.
  package init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// A size in points of a desktop.
struct DesktopSize: Equatable {
  var width: Int32
  var height: Int32
}
