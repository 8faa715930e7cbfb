// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The tablet as it is drawn.
package struct TabletView: Equatable {
  /// How it is turned.
  package var attitude = Attitude()
  /// How far what is on the screen is turned on it from portrait, clockwise, in radians; nil if it is not known.
  package var interfaceAngle: Double? = 0
  /// Whether it is known how the tablet is held; if not, it is drawn faintly.
  package var isKnown = true

  /// Creates a view of a tablet that is upright, as is what is on its screen.
  package init() {}
}

/// The shape of the tablet, in half lengths of it, in the device's axes.
package enum TabletShape {
  /// Half of its width: five to eight.
  package static let width = 0.64
  /// Half of its length.
  package static let length = 1.0
  /// Half of its thickness.
  package static let thickness = 0.035
  /// The radius of its corners.
  package static let corner = 0.11
  /// Half of the width of the screen.
  package static let screenWidth = 0.55
  /// Half of the length of the screen.
  package static let screenLength = 0.87
  /// The height of the letters on it.
  package static let letters = 0.58

  /// Points of the outline, clockwise from the upper left.
  package static let outline: [SIMD2<Double>] = {
    let centres = [
      SIMD2(width - corner, length - corner), SIMD2(width - corner, corner - length),
      SIMD2(corner - width, corner - length), SIMD2(corner - width, length - corner),
    ]
    var points: [SIMD2<Double>] = []
    for (number, centre) in centres.enumerated() {
      for step in 0...8 {
        let angle = (Double(number) + Double(step) / 8) * .pi / 2
        points.append(centre + SIMD2(sin(angle), cos(angle)) * corner)
      }
      // The straight edge to the next corner, in pieces: the shadow consists of these points.
      let next = centres[(number + 1) % 4]
      let angle = Double(number + 1) * .pi / 2
      let (start, end) = (points[points.count - 1], next + SIMD2(sin(angle), cos(angle)) * corner)
      for step in 1..<24 { points.append(start + (end - start) * (Double(step) / 24)) }
    }
    return points
  }()
}
