// SPDX-License-Identifier: Apache-2.0

// From the chip's axes to the screen's. Many programs get this wrong.
//
// The mount matrices in use (systemd's hwdb, device trees) were adjusted until iio-sensor-proxy rotated the screens
// correctly, and iio-sensor-proxy calls y < 0 "normal" and x > 0 "left-up": its x and y are the negative of the kernel's.
// So for a matrix in use, X = -(row 1) and Y = -(row 2).
//
// The third row was never adjusted: 198 of the 246 entries of hwdb have determinant -1, which is impossible for a rigidly
// mounted right-handed chip, so if it were used, face up and face down would be exchanged. But Z follows from X and Y: for
// a chip whose reading at rest points up, Z = X x Y. HID sensor hubs report the opposite sign (HID Usage Tables' ESD axes;
// with the screen up they read -1 g). The adjusted X and Y contain this sign already, so for them Z = -(X x Y).
//
// All this leads to the axes of the panel as its graphics card defines them. For a panel whose own upright is landscape,
// they are then turned to the device's axes, which are those of portrait.

/// The axes of the x and y rows of a mount matrix.
package enum AxisConvention: String, CaseIterable, Sendable {
  /// Those of iio-sensor-proxy, with which the matrices in use were adjusted: x and y are the negative of the screen's.
  case proxy
  /// Those of the kernel's mount-matrix document: the screen's.
  case kernel
}

/// How the screen's z axis, which distinguishes face up from face down, is determined.
package enum FaceAxis: String, CaseIterable, Sendable {
  /// It is derived from the x and y rows and from the sign of the chip's readings.
  case auto
  /// The matrix's third row; for a singular matrix, whose third row is useless, as `auto`.
  case asRead = "as-read"
  /// The matrix's third row, negated; for a singular matrix, as `auto`.
  case inverted
}

/// The sign in which a resting accelerometer reports gravity.
package enum SignConvention: String, Sendable {
  /// Its reading points up, as with chips on I2C and SPI and the Chrome embedded controller.
  case specificForce
  /// Its reading points down, as with HID sensor hubs.
  case gravity
}

/// The linear map from the chip's axes to the screen's.
public struct ScreenTransform: Equatable, Sendable, BitwiseCopyable {
  @usableFromInline let x: SIMD3<Double>
  @usableFromInline let y: SIMD3<Double>
  @usableFromInline let z: SIMD3<Double>

  /// The source's axes are those of the screen already, as with recordings.
  package static let identity = ScreenTransform(
    x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), z: SIMD3(0, 0, 1))

  init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Derives the map from the mounting of the chip.
  ///
  /// - Parameters:
  ///   - matrix: the mount matrix.
  ///   - convention: the axes of the matrix's x and y rows.
  ///   - faceAxis: how the screen's z axis is determined.
  ///   - sign: the sign of the chip's readings.
  package init(
    matrix: MountMatrix, convention: AxisConvention, faceAxis: FaceAxis, sign: SignConvention
  ) {
    switch convention {
    case .proxy: (x, y) = (-matrix.x, -matrix.y)
    case .kernel: (x, y) = (matrix.x, matrix.y)
    }
    switch matrix.isSingular ? .auto : faceAxis {
    case .auto:
      // If a matrix also scales, it scales all axes alike: z gets the geometric mean of the lengths of x and y.
      let normal = x.cross(y)
      let wanted = ((x * x).sum() * (y * y).sum()).squareRoot().squareRoot()
      z = normal * ((sign == .specificForce ? wanted : -wanted) / normal.length)
    case .asRead: z = matrix.z
    case .inverted: z = -matrix.z
    }
  }

  /// The same map for a panel whose own upright is not the device's portrait.
  ///
  /// A mount matrix leads to the panel's own axes: it was adjusted so that the panel's upright is iio-sensor-proxy's
  /// "normal". The axes in this program are those of the device in portrait. If a landscape panel stands by its own
  /// upright, the device is in landscapeLeft and reads +x: the panel's y axis is the device's x axis. The z axis stays.
  ///
  /// - Parameter natural: the orientation of the device when the panel shows an untransformed picture upright.
  /// - Returns: the map from the chip's axes to those of the screen in portrait.
  package func turned(to natural: NaturalOrientation) -> ScreenTransform {
    switch natural {
    case .portrait: self
    case .portraitUpsideDown: ScreenTransform(x: -x, y: -y, z: z)
    case .landscapeLeft: ScreenTransform(x: y, y: -x, z: z)
    case .landscapeRight: ScreenTransform(x: -y, y: x, z: z)
    }
  }

  /// The mount matrix that, read in iio-sensor-proxy's convention and with its third row as it is, stands for this map to a panel's axes.
  package var matrix: MountMatrix { MountMatrix(uncheckedRows: -x, -y, z) }

  /// The same map for readings that are to be multiplied by a number.
  package func scaled(by factor: Double) -> ScreenTransform {
    ScreenTransform(x: x * factor, y: y * factor, z: z * factor)
  }

  /// Converts a reading of the chip to the screen's axes.
  @inlinable @inline(__always)
  public func callAsFunction(_ reading: Acceleration<SensorFrame>) -> Acceleration<ScreenFrame> {
    Acceleration(
      x: x.x * reading.x + x.y * reading.y + x.z * reading.z,
      y: y.x * reading.x + y.y * reading.y + y.z * reading.z,
      z: z.x * reading.x + z.y * reading.y + z.z * reading.z)
  }
}
