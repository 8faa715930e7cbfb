// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How far the tablet is from the pose that is asked for.
struct PoseDeviation: Equatable {
  /// The angle, in degrees.
  let degrees: Double
  /// The direction, for a spirit level: how it lies in the screen is not known before the calibration.
  let sideways: SIMD2<Double>

  /// Compares a reading with an axis of the sensor.
  ///
  /// - Parameters:
  ///   - direction: the reading, as a vector of length one.
  ///   - axis: 0 to 2.
  init(_ direction: SIMD3<Double>, axis: Int) {
    degrees = acos(min(abs(direction[axis]), 1)) * 180 / .pi
    sideways = SIMD2(direction[(axis + 1) % 3], direction[(axis + 2) % 3])
  }
}
