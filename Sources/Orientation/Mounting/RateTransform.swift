// SPDX-License-Identifier: Apache-2.0

// From a gyroscope's axes to the screen's.
//
// The map T for an accelerometer of the same chip may mirror: its determinant is -1 for a HID sensor hub, which reports the negative of
// the force, and for a chip whose axes are left-handed. An angular velocity is a pseudovector, so it transforms by det(T) T. For a hub at
// rest in the screen's axes, T = -I and det(T) T = I: a hub reports the opposite force, but no opposite turns.
//
// A map that turns and mirrors at right angles becomes one that only turns, so its third row follows from the first two.

/// The linear map of a gyroscope's readings from the chip's axes to the screen's.
package struct RateTransform: Equatable, Sendable, BitwiseCopyable {
  private let x: SIMD3<Double>
  private let y: SIMD3<Double>
  private let z: SIMD3<Double>

  /// Derives the map from that of the forces that a chip in the same axes reads.
  ///
  /// A mount matrix may also scale, as to calibrate an accelerometer; the rates keep their size.
  ///
  /// - Parameter forces: the map for an accelerometer.
  package init(ofForcesBy forces: ScreenTransform) {
    // The determinant: of a matrix that scales, it is another number with this sign.
    let sign = (forces.x * forces.y.cross(forces.z)).sum() < 0 ? -1.0 : 1.0
    x = forces.x * (sign / forces.x.length)
    y = forces.y * (sign / forces.y.length)
    // The rows of a matrix that is written by hand may not be at right angles, but they are not parallel.
    let normal = x.cross(y)
    z = normal * (1 / normal.length)
  }

  /// Converts a reading of the chip to the screen's axes.
  package func callAsFunction(_ reading: AngularVelocity<SensorFrame>) -> AngularVelocity<ScreenFrame> {
    let rates = reading.vector
    return AngularVelocity(x: (x * rates).sum(), y: (y * rates).sum(), z: (z * rates).sum())
  }
}
