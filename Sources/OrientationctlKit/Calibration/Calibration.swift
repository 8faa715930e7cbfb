// SPDX-License-Identifier: Apache-2.0

// How a sensor is mounted, from what it reads in three poses.
//
// A chip is soldered along the edges of the board, so each pose lies near one of its six half-axes, and the way of
// assigning three axes to three poses that fits best is the mounting: hands and tables may be off by 25 degrees and more.
// Nothing is assumed of the chip's sign. Where three readings of a right-handed chip make up a left-handed triple,
// it reports the opposite of what holds it up, as HID sensor hubs do.
//
// The rows of the matrix follow from what people's readers of it do (ScreenTransform tells that tale). iio-sensor-proxy
// calls y < 0 "normal" and x < 0 "right-up": row 1 is the negative of what is read with the right edge up, row 2 that
// of upright. The third row is what is read with the screen up, so that z is positive then, as FaceAxis=as-read and the
// kernel's document want it. None of these readers knows the sign of the chip, so it must not show behind the matrix,
// and the determinant has it: +1 for a chip that reads what holds it up, -1 for a hub. orientationd's FaceAxis=auto and
// iio-sensor-proxy's words for x and y do without the third row.

import Orientation

/// Which of the sensor's half-axes each of the screen's axes is.
struct Calibration: Equatable {
  /// The half-axis that reads positive with the right edge up, as a vector of length one.
  let right: SIMD3<Double>
  /// The one with the top edge up.
  let top: SIMD3<Double>
  /// The one with the screen up.
  let out: SIMD3<Double>

  /// Finds the half-axes nearest to what was read.
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

  /// The sign of the sensor, which its three readings tell.
  var sign: SignConvention { handedness > 0 ? .specificForce : .gravity }

  /// The half-axis that belongs to a pose.
  func halfAxis(of pose: CalibrationPose) -> SIMD3<Double> {
    switch pose {
    case .rightEdgeUp: right
    case .upright: top
    case .flat: out
    }
  }

  /// The rows of the mount matrix.
  ///
  /// - Parameters:
  ///   - convention: the configuration's: which axes the x and y rows lead to.
  ///   - faceAxis: the configuration's: how the z row is read.
  /// - Returns: the matrix.
  /// - Throws: never in fact: three different axes make no singular matrix.
  func mountMatrix(convention: AxisConvention, faceAxis: FaceAxis) throws(MountMatrixError) -> MountMatrix {
    let z = faceAxis == .inverted ? -out : out
    switch convention {
    case .proxy: return try MountMatrix(x: -right, y: -top, z: z)
    case .kernel: return try MountMatrix(x: right, y: top, z: z)
    }
  }

  /// +1 where right, top and out are as the thumb, the forefinger and the middle finger of the right hand.
  private var handedness: Double {
    right[0] * (top[1] * out[2] - top[2] * out[1]) + right[1] * (top[2] * out[0] - top[0] * out[2])
      + right[2] * (top[0] * out[1] - top[1] * out[0])
  }
}
