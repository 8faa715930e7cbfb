// SPDX-License-Identifier: Apache-2.0

// Programs that read motion get it in the screen's axes, which the mount matrix in use leads to. If that is wrong, so are the axes, by
// quarter turns. So a program that calibrates measures as if the panel were a chip, which lies as the matrix in use says. What it finds is
// how these axes must be turned; composed with the matrix in use, it is the matrix from the chip itself.

/// How the accelerometer is mounted by the daemon, for a program that calibrates it by readings in the screen's axes.
package struct MountingInUse: Equatable, Sendable {
  /// The matrix as the daemon uses it: `MountMatrix` of `org.orientationd1.Sensor`.
  ///
  /// It leads to iio-sensor-proxy's axes of the panel: x and y are the negative of the panel's, z is the panel's.
  package let matrix: MountMatrix
  /// The orientation of the device when the panel shows an untransformed picture upright.
  package let natural: NaturalOrientation

  /// Describes the mounting that is in use.
  ///
  /// - Parameters:
  ///   - matrix: the daemon's `MountMatrix`.
  ///   - natural: the orientation of the device when the panel is upright.
  package init(matrix: MountMatrix, natural: NaturalOrientation) {
    self.matrix = matrix
    self.natural = natural
  }

  /// A reading of the motion socket in the panel's axes, as ``PoseReadings`` takes it from a chip.
  ///
  /// Such a "chip" has the sign ``SignConvention/specificForce``.
  ///
  /// - Parameter reading: the reading, in the axes of the screen in portrait.
  /// - Returns: the same, in those of the panel's own upright.
  package func onPanel(_ reading: Acceleration<ScreenFrame>) -> Acceleration<SensorFrame> {
    let (x, y) = (reading.x, reading.y)
    return switch natural {
    case .portrait: Acceleration(x: x, y: y, z: reading.z)
    case .portraitUpsideDown: Acceleration(x: -x, y: -y, z: reading.z)
    case .landscapeLeft: Acceleration(x: -y, y: x, z: reading.z)
    case .landscapeRight: Acceleration(x: y, y: -x, z: reading.z)
    }
  }

  /// Whether the poses show that the matrix in use is right.
  ///
  /// - Parameter calibration: what was found from readings of ``onPanel(_:)``.
  /// - Returns: whether each pose reads as it should.
  package func isRight(by calibration: Calibration) -> Bool {
    CalibrationPose.allCases.allSatisfy { calibration.halfAxis(of: $0) == $0.up(on: .portrait) }
  }

  /// The matrix that is right by the poses, in place of the one in use.
  ///
  /// - Parameter calibration: what was found from readings of ``onPanel(_:)``.
  /// - Returns: the matrix, for `SetMountMatrix` and for udev's hardware database.
  /// - Throws: never in practice: a turn makes no matrix singular.
  package func corrected(by calibration: Calibration) throws(MountMatrixError) -> MountMatrix {
    /// The row of the chip's axes for a half-axis of the panel.
    func row(_ halfAxis: SIMD3<Double>) -> MountMatrix.Row {
      matrix.z * halfAxis.z - matrix.x * halfAxis.x - matrix.y * halfAxis.y
    }
    let corrected = try MountMatrix(
      x: -row(calibration.right), y: -row(calibration.top), z: row(calibration.out))
    // One of udev or a driver may scale, too, which is not what people set.
    return (try? corrected.checkTurn()) == nil ? corrected.turn : corrected
  }
}
