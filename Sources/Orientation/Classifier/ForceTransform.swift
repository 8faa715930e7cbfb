// SPDX-License-Identifier: Apache-2.0

/// A ``ScreenTransform`` from readings in m/s^2 to forces in units of standard gravity, in single precision.
struct ForceTransform {
  // The matrix by its columns: what a reading along each of the chip's axes is on the screen's.
  private let x: Force
  private let y: Force
  private let z: Force

  init(_ transform: ScreenTransform) {
    x = Force(transform(Acceleration(x: 1, y: 0, z: 0)))
    y = Force(transform(Acceleration(x: 0, y: 1, z: 0)))
    z = Force(transform(Acceleration(x: 0, y: 0, z: 1)))
  }

  /// Turns a reading of the chip into a force along the screen's axes.
  @inline(__always)
  func callAsFunction(_ reading: Acceleration<SensorFrame>) -> Force {
    x * Float(reading.x) + y * Float(reading.y) + z * Float(reading.z)
  }
}
