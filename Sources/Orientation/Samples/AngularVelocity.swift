// SPDX-License-Identifier: Apache-2.0

/// An angular velocity in radians per second, in the axes that `Frame` names.
///
/// A positive component is a turn counterclockwise as seen from the end of its axis. A reading in the chip's axes must pass through a
/// ``RateTransform`` before code for the screen can use it.
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
}
