// SPDX-License-Identifier: Apache-2.0

// This folder: the readings of an accelerometer, and their times. Frames and units are types, so a reading in the chip's
// axes cannot be mistaken for one in the screen's.

/// The axes of the accelerometer chip, as its driver reports them.
public enum SensorFrame {}

/// The axes of the screen: x to its right edge, y to its top, z out of it, as seen with the device in portrait.
///
/// This is the frame of the kernel's mount-matrix document and of Android. A sensor at rest reads the force that supports
/// it, which points up: upright 0,+g,0; right edge up +g,0,0; screen up 0,0,+g.
public enum ScreenFrame {}

/// An axis of either frame, in the order of a reading's components.
package enum Axis: String, CaseIterable, Sendable {
  case x, y, z
}

/// A specific force in metres per second squared, in the axes that `Frame` names.
///
/// The frame is part of the type, so a value in the chip's axes must pass through a `ScreenTransform` before code for the
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

  /// The three components.
  package var vector: SIMD3<Double> { SIMD3(x, y, z) }

  /// Creates an acceleration from three components.
  package init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

/// Standard gravity, 9.80665 m/s^2 (3rd General Conference on Weights and Measures, 1901).
package let standardGravity = 9.80665

/// An angular velocity in radians per second, in the axes that `Frame` names.
///
/// A positive component is a turn counterclockwise as seen from the end of its axis. A reading in the chip's axes must pass through a
/// `RateTransform` before code for the screen can use it.
public struct AngularVelocity<Frame>: Equatable, Sendable, BitwiseCopyable {
  /// The component around the frame's x axis, rad/s.
  public var x: Double
  /// The component around the frame's y axis, rad/s.
  public var y: Double
  /// The component around the frame's z axis, rad/s.
  public var z: Double

  /// Creates an angular velocity from its components in rad/s.
  @inlinable
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The three components.
  package var vector: SIMD3<Double> { SIMD3(x, y, z) }

  /// Creates an angular velocity from three components.
  package init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

/// The reading of an accelerometer at one instant, in the axes that `Frame` names.
public struct Sample<Frame>: Equatable, Sendable, BitwiseCopyable {
  /// When the sensor took the sample.
  public var time: BootTime
  /// The reading, m/s^2.
  public var acceleration: Acceleration<Frame>

  /// Creates a sample.
  @inlinable
  public init(time: BootTime, acceleration: Acceleration<Frame>) {
    self.time = time
    self.acceleration = acceleration
  }
}
