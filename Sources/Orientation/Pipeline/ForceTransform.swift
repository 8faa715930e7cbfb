// SPDX-License-Identifier: Apache-2.0

/// A ``ScreenTransform`` from readings in m/s^2 to forces in units of standard gravity, in single precision.
struct ForceTransform {
  // The columns of the matrix: a reading along each of the chip's axes, in the screen's axes.
  private let x: Force
  private let y: Force
  private let z: Force

  init(_ transform: ScreenTransform) {
    x = Force(transform(Acceleration(x: 1, y: 0, z: 0)))
    y = Force(transform(Acceleration(x: 0, y: 1, z: 0)))
    z = Force(transform(Acceleration(x: 0, y: 0, z: 1)))
  }

  /// Converts a reading of the chip to a force along the screen's axes.
  @inline(__always)
  func callAsFunction(_ reading: Acceleration<SensorFrame>) -> Force {
    x * Float(reading.x) + y * Float(reading.y) + z * Float(reading.z)
  }
}
