// SPDX-License-Identifier: Apache-2.0

/// How far the tablet is from the pose that is asked for.
package struct PoseDeviation: Equatable, Sendable {
  /// The angle, in degrees.
  package let degrees: Double
  /// The direction, for a spirit level: how it lies in the screen is not known before the calibration.
  package let sideways: SIMD2<Double>

  /// Compares a reading with an axis of the sensor.
  ///
  /// - Parameters:
  ///   - direction: the reading, as a vector of length one.
  ///   - axis: 0 to 2.
  package init(_ direction: SIMD3<Double>, axis: Int) {
    var halfAxis = SIMD3<Double>.zero
    halfAxis[axis] = direction[axis] < 0 ? -1 : 1
    degrees = Angle(between: direction, and: halfAxis).degrees
    sideways = SIMD2(direction[(axis + 1) % 3], direction[(axis + 2) % 3])
  }
}
