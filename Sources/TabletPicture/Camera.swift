// SPDX-License-Identifier: Apache-2.0

import Glibc

/// From the picture's axes to dots: seen from a little above, with perspective.
package struct Camera {
  /// How far above the horizontal it is, in radians: so a flat tablet is more than a line.
  private static let elevation = 22 * Double.pi / 180
  /// How far from the tablet it is, in half lengths of the tablet.
  package static let distance = 5.5
  /// How far the tablet reaches from its middle on the canvas, in half lengths: a corner, with perspective.
  package static let reach = 1.26
  /// How far the picture reaches below the middle with the shadow on the floor.
  package static let reachBelow = 1.7

  private let centre: SIMD2<Double>
  /// Dots for each half length of the tablet.
  package let scale: Double

  /// Fits the tablet into a canvas.
  ///
  /// - Parameters:
  ///   - width: the width of the canvas, in dots.
  ///   - height: its height.
  ///   - hasFloor: whether there is room for the floor, too.
  package init(width: Double, height: Double, hasFloor: Bool) {
    let below = hasFloor ? Self.reachBelow : Self.reach
    scale = min(width / (2 * Self.reach), height / (Self.reach + below))
    // A fraction of a dot, so that no point of the symmetrical tablet lies exactly between two dots.
    centre = SIMD2(
      width / 2 + 0.013, (height - scale * (Self.reach + below)) / 2 + scale * Self.reach + 0.017)
  }

  /// The dot of a point.
  package func callAsFunction(_ point: SIMD3<Double>) -> SIMD2<Double> {
    let seen = turned(point)
    let size = scale * Self.distance / (Self.distance - seen.z)
    return centre + SIMD2(seen.x * size, -seen.y * size)
  }

  /// Whether a surface is seen from its front.
  ///
  /// - Parameters:
  ///   - normal: out of its front.
  ///   - point: a point of it.
  /// - Returns: whether it is.
  package func sees(_ normal: SIMD3<Double>, at point: SIMD3<Double>) -> Bool {
    let (normal, point) = (turned(normal), turned(point))
    return (normal * (SIMD3(0, 0, Self.distance) - point)).sum() > 1e-9
  }

  private func turned(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let (sine, cosine) = (sin(Self.elevation), cos(Self.elevation))
    return SIMD3(point.x, point.y * cosine - point.z * sine, point.y * sine + point.z * cosine)
  }
}
