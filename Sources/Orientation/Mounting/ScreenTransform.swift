// SPDX-License-Identifier: Apache-2.0

// From the chip's axes to the screen's: the trap that every peer falls into.
//
// The mount matrices in use (systemd's hwdb, device trees) were tuned until iio-sensor-proxy rotated screens the
// right way, and iio-sensor-proxy calls y < 0 "normal" and x > 0 "left-up": its x and y are the negative of the
// kernel's. So a matrix of the wild gives X = -(row 1) and Y = -(row 2).
//
// Nobody ever tuned the third row: 198 of the 246 entries of hwdb have determinant -1, which no rigidly
// mounted right-handed chip can have, so trusting it would exchange face up and face down. But X and Y say where
// Z must be: for a chip that reads what holds it up, Z = X x Y. HID sensor hubs report the opposite sign
// (HID Usage Tables' ESD axes; screen up reads -1 g), which the tuning has put into X and Y, so there
// Z = -(X x Y).
//
// All this leads to the axes of the panel as its graphics card sees it. A panel that is at home in landscape is then
// turned into the device's axes, which are those of portrait.

/// Which axes the x and y rows of a mount matrix lead to.
public enum AxisConvention: String, CaseIterable, Sendable {
  /// Those of iio-sensor-proxy, to whose eye the matrices in use were tuned: x and y are the screen's negated.
  case proxy
  /// Those of the kernel's mount-matrix document: the screen's.
  case kernel
}

/// Where the screen's z axis, which tells face up from face down, is taken from.
public enum FaceAxis: String, CaseIterable, Sendable {
  /// Derived from the x and y rows and from the sign that the chip reads.
  case auto
  /// The matrix's third row; of a singular matrix, which has none worth that name, as `auto`.
  case asRead = "as-read"
  /// The matrix's third row, negated; of a singular matrix as `auto`.
  case inverted
}

/// The sign in which a resting accelerometer reports gravity.
public enum SignConvention: String, Sendable {
  /// It reads what holds it up, as chips on I2C and SPI and the Chrome embedded controller do.
  case specificForce
  /// It reads the opposite, as HID sensor hubs do.
  case gravity
}

/// The linear map from the chip's axes to the screen's.
public struct ScreenTransform: Equatable, Sendable, BitwiseCopyable {
  @usableFromInline let x: SIMD3<Double>
  @usableFromInline let y: SIMD3<Double>
  @usableFromInline let z: SIMD3<Double>

  /// The source already speaks in the screen's axes, as recordings do.
  public static let identity = ScreenTransform(
    x: SIMD3(1, 0, 0), y: SIMD3(0, 1, 0), z: SIMD3(0, 0, 1))

  init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Derives the map from how the chip is mounted.
  ///
  /// - Parameters:
  ///   - matrix: the mount matrix.
  ///   - convention: which axes the matrix's x and y rows lead to.
  ///   - faceAxis: where the screen's z axis is taken from.
  ///   - sign: the sign that the chip reads.
  public init(
    matrix: MountMatrix, convention: AxisConvention, faceAxis: FaceAxis, sign: SignConvention
  ) {
    switch convention {
    case .proxy: (x, y) = (-matrix.x, -matrix.y)
    case .kernel: (x, y) = (matrix.x, matrix.y)
    }
    switch matrix.isSingular ? .auto : faceAxis {
    case .auto:
      // A matrix that also scales scales all axes alike: z gets the geometric mean of the lengths of x and y.
      let normal = x.cross(y)
      let length = (normal * normal).sum().squareRoot()
      let wanted = ((x * x).sum() * (y * y).sum()).squareRoot().squareRoot()
      z = normal * ((sign == .specificForce ? wanted : -wanted) / length)
    case .asRead: z = matrix.z
    case .inverted: z = -matrix.z
    }
  }

  /// The same for a panel whose own upright is another orientation of the device than portrait.
  ///
  /// A mount matrix leads to the panel's own axes: it was tuned so that the panel's upright is iio-sensor-proxy's
  /// "normal". The axes inside are those of the device in portrait. A landscape panel with its own top up is a
  /// device in landscapeLeft, which reads +x: there the panel's y axis is the device's x axis. The z axis stays.
  ///
  /// - Parameter natural: the orientation of the device when the panel stands by its own upright.
  /// - Returns: the map from the chip's axes to those of the screen as it is in portrait.
  public func turned(to natural: NaturalOrientation) -> ScreenTransform {
    switch natural {
    case .portrait: self
    case .portraitUpsideDown: ScreenTransform(x: -x, y: -y, z: z)
    case .landscapeLeft: ScreenTransform(x: y, y: -x, z: z)
    case .landscapeRight: ScreenTransform(x: -y, y: x, z: z)
    }
  }

  /// Turns a reading of the chip into the screen's axes.
  @inlinable @inline(__always)
  public func callAsFunction(_ reading: Acceleration<SensorFrame>) -> Acceleration<ScreenFrame> {
    Acceleration(
      x: x.x * reading.x + x.y * reading.y + x.z * reading.z,
      y: y.x * reading.x + y.y * reading.y + y.z * reading.z,
      z: z.x * reading.x + z.y * reading.y + z.z * reading.z)
  }
}
