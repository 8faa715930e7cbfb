// SPDX-License-Identifier: Apache-2.0

import CLinux

/// How the device is turned in space.
///
/// The reference is a room whose z axis points up. Its x axis points to any side, which differs from loop to loop: gravity does not tell
/// a heading, so yaw only has a meaning relative to another attitude of the same loop, and it drifts with the gyroscope. A turn while no
/// values come is unknown: after ``MotionStreamState/active``, take a new attitude to compare with.
public struct Attitude: Equatable, Sendable {
  /// The rotation that turns a vector along the screen's axes to the axes of the room.
  public var quaternion: Quaternion

  /// Creates an attitude.
  public init(quaternion: Quaternion) { self.quaternion = quaternion }

  /// The angle about the screen's x axis, in radians, -π/2 to π/2: positive if the top edge is raised.
  ///
  /// A device that lies flat is turned to its attitude by first yaw, then pitch, then roll, each about its own axis as it is turned by then.
  /// Near ±π/2 (the device is held upright), yaw and roll are undefined: use the quaternion.
  public var pitch: Double { asin(min(max(rows.up.y, -1), 1)) }

  /// The angle about the screen's y axis, in radians, -π to π: positive if the right edge is lowered.
  public var roll: Double { atan2(-rows.up.x, rows.up.z) }

  /// The angle about the vertical, in radians, -π to π: positive counterclockwise as seen from above.
  public var yaw: Double { atan2(-rows.y.x, rows.y.y) }

  /// This attitude, with another one of the same loop as the reference.
  ///
  /// - Parameter reference: the attitude that is no rotation then.
  /// - Returns: the rotation from the reference to this attitude, along the axes of the reference.
  public func relative(to reference: Attitude) -> Attitude {
    Attitude(quaternion: reference.quaternion.inverse * quaternion)
  }

  /// Where the room's z axis points to in the screen's axes, and the screen's y axis in the room's.
  private var rows: (up: SIMD3<Double>, y: SIMD3<Double>) {
    (quaternion.inverse.rotating([0, 0, 1]), quaternion.rotating([0, 1, 0]))
  }
}
