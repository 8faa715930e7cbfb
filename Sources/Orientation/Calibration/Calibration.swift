// SPDX-License-Identifier: Apache-2.0

// How a sensor is mounted, from its readings in three poses.
//
// A chip is soldered parallel to the edges of the board. So in each pose, gravity is near one of its six half-axes. The
// mounting is the assignment of three axes to three poses that fits best; each pose may be off by 25 degrees and more.
// The sign of the chip is not assumed. All chips are right-handed: if the three readings form a left-handed triple, the chip
// reports the opposite of the force that holds it up, as HID sensor hubs do.
//
// The rows of the matrix follow from how programs use it (ScreenTransform explains that). iio-sensor-proxy calls y < 0
// "normal" and x < 0 "right-up": row 1 is the negative of the reading with the right edge up, row 2 the negative of the
// reading in upright. Row 3 is the reading with the screen up, so that z is then positive, as FaceAxis=as-read and the kernel's
// document require. None of these programs knows the sign of the chip, so the matrix corrects it: its
// determinant is +1 for a chip that measures the force that holds it up, and -1 for a hub. orientationd's FaceAxis=auto,
// and iio-sensor-proxy's names for x and y, do not use row 3.

/// The half-axes of the sensor that point along the axes of the screen.
package struct Calibration: Equatable, Sendable {
  /// The half-axis that reads positive with the right edge up, as a vector of length one.
  package let right: SIMD3<Double>
  /// The half-axis that reads positive with the top edge up.
  package let top: SIMD3<Double>
  /// The half-axis that reads positive with the screen up.
  package let out: SIMD3<Double>

  /// Finds the half-axes nearest to the readings.
  ///
  /// - Parameter directions: the readings, as vectors of length one; all three poses.
  init(_ directions: [CalibrationPose: SIMD3<Double>]) {
    let wanted: [CalibrationPose] = [.rightEdgeUp, .upright, .flat]
    let read = wanted.map { directions[$0] ?? .zero }
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    func fit(_ order: [Int]) -> Double { zip(read, order).reduce(0) { $0 + abs($1.0[$1.1]) } }
    let best = orders.max { fit($0) < fit($1) } ?? orders[0]
    let axes = zip(read, best).map { direction, axis in
      var halfAxis = SIMD3<Double>.zero
      halfAxis[axis] = direction[axis] < 0 ? -1 : 1
      return halfAxis
    }
    (right, top, out) = (axes[0], axes[1], axes[2])
  }

  /// The sign of the sensor, which follows from the three readings.
  package var sign: SignConvention {
    let isRightHanded = (right * top.cross(out)).sum() > 0
    return isRightHanded ? .specificForce : .gravity
  }

  /// The half-axis that belongs to a pose.
  package func halfAxis(of pose: CalibrationPose) -> SIMD3<Double> {
    switch pose {
    case .rightEdgeUp: right
    case .upright: top
    case .flat: out
    }
  }

  /// The rows of the mount matrix.
  ///
  /// - Parameters:
  ///   - convention: the configuration's: the axes that result from the rows x and y.
  ///   - faceAxis: the configuration's: how the row z is used.
  /// - Returns: the matrix.
  /// - Throws: never in practice: a matrix of three different axes is not singular.
  package func mountMatrix(convention: AxisConvention, faceAxis: FaceAxis) throws(MountMatrixError)
    -> MountMatrix
  {
    let z = faceAxis == .inverted ? -out : out
    switch convention {
    case .proxy: return try MountMatrix(x: -right, y: -top, z: z)
    case .kernel: return try MountMatrix(x: right, y: top, z: z)
    }
  }
}
