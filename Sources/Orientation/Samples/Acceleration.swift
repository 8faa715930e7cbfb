// SPDX-License-Identifier: Apache-2.0

/// The axes of the accelerometer chip, as its driver reports them.
public enum SensorFrame {}

/// The axes of the screen: x to its right edge, y to its top, z out of it, as seen with the device in portrait.
///
/// This is the frame of the kernel's mount-matrix document and of Android. A sensor at rest reads the force that supports
/// it, which points up: upright 0,+g,0; right edge up +g,0,0; screen up 0,0,+g.
public enum ScreenFrame {}

/// A specific force in metres per second squared, in the axes that `Frame` names.
///
/// The frame is part of the type, so a value in the chip's axes must pass through a ``ScreenTransform`` before code for the
/// screen can use it.
public struct Acceleration<Frame>: Equatable, Sendable, BitwiseCopyable {
  /// The component along the frame's x axis, m/s^2.
  public var x: Double
  /// The component along the frame's y axis, m/s^2.
  public var y: Double
  /// The component along the frame's z axis, m/s^2.
  public var z: Double

  /// Creates an acceleration from its components in m/s^2.
  @inlinable
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Whether every component is a number and finite.
  @inlinable
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The square of the magnitude, (m/s^2)^2.
  @inlinable
  public var magnitudeSquared: Double { x * x + y * y + z * z }
}

/// Standard gravity, 9.80665 m/s^2 (3rd General Conference on Weights and Measures, 1901).
public let standardGravity = 9.80665
