// SPDX-License-Identifier: Apache-2.0

// How the tablet is turned in the picture. Gravity shows only which way is up; by which way a tablet is turned about the
// vertical, no accelerometer can know. The picture shows the tablet from its front as far as gravity allows: upright it
// faces the viewer, and if it is laid down, it keeps its direction.

import Glibc
import OrientationClient

/// The directions of the device's axes in the picture: x to the right, y up, z towards the viewer.
package struct Attitude: Equatable {
  /// From the device's axes to the picture's.
  private var rotation = Quaternion.identity

  /// The direction out of the screen, of length one.
  package var out: SIMD3<Double> { self(SIMD3(0, 0, 1)) }

  /// How quickly the tablet is turned to the viewer, in radians a second for each radian.
  private static let pace = 5.0

  /// The slope up to which a tablet is flat: 12 degrees.
  private static let flat = 0.2

  /// Upright, facing the viewer.
  package init() {}

  /// Turned as gravity says, and as far to the viewer as possible.
  ///
  /// - Parameter up: the direction that is up, in the device's axes: that of the force which holds it up.
  package init(up: SIMD3<Double>) {
    align(with: up)
    face(seconds: .infinity)
  }

  /// Converts a point from the device's axes to the picture's.
  package func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> { rotation.rotating(point) }

  /// Turns the tablet by the shortest way so that this direction is up.
  ///
  /// - Parameter up: in the device's axes, of any length but zero.
  package mutating func align(with up: SIMD3<Double>) {
    let up = up / up.length
    // Half a turn, which has no shortest way: it is made in the plane of the picture.
    if self(up).y < -1 + 1e-11 { rotation = Quaternion(rotation: SIMD3(0, 0, .pi)) * rotation }
    rotation = Quaternion(from: self(up), to: SIMD3(0, 1, 0)) * rotation
  }

  /// Turns the tablet about the vertical towards the viewer, the slower the flatter it lies.
  ///
  /// - Parameter seconds: how long the tablet has been turning.
  package mutating func face(seconds: Double) {
    guard slope > Self.flat else { return }
    let share = 1 - exp(-Self.pace * slope * seconds)
    rotation = Quaternion(rotation: SIMD3(0, -aversion * share, 0)) * rotation
  }

  /// How far the tablet must still be turned about the vertical to face the viewer, in radians; zero for a flat one.
  package var aversion: Double { slope > Self.flat ? atan2(out.x, out.z) : 0 }

  /// The sine of the angle between the screen and the horizontal.
  private var slope: Double { (out.x * out.x + out.z * out.z).squareRoot() }
}
