// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

/// A rotation in space, as a quaternion of length one.
///
/// Applied to a vector, it turns it counterclockwise by an angle about an axis of length one: w is the cosine of half the angle, and
/// x, y and z are the axis times its sine.
public struct Quaternion: Equatable, Sendable, BitwiseCopyable {
  /// x, y and z.
  private let vector: SIMD3<Double>
  /// The cosine of half the angle.
  public let w: Double

  /// The first component of the axis, times the sine of half the angle.
  public var x: Double { vector.x }
  /// The second component.
  public var y: Double { vector.y }
  /// The third component.
  public var z: Double { vector.z }

  /// No rotation.
  public static var identity: Quaternion { Quaternion(SIMD3(0, 0, 0), 1) }

  /// Creates a rotation from a quaternion of any length, which is made one; nil if it has none.
  public init?(x: Double, y: Double, z: Double, w: Double) {
    let length = (x * x + y * y + z * z + w * w).squareRoot()
    guard length > 0, length < .infinity else { return nil }
    self.init(SIMD3(x, y, z), w)
  }

  /// Creates a rotation from a quaternion of any length above zero.
  private init(_ vector: SIMD3<Double>, _ w: Double) {
    let length = ((vector * vector).sum() + w * w).squareRoot()
    self.vector = vector / length
    self.w = w / length
  }

  /// Creates the rotation about an axis by the length of the vector, in radians.
  ///
  /// - Parameter rotation: the axis, times the angle; one that is not finite is no rotation.
  public init(rotation: SIMD3<Double>) {
    guard rotation.length < .infinity else {
      self = .identity
      return
    }
    let angle = rotation.length
    // Below this, the axis has no direction, and the sine is the angle.
    let sineByAngle = angle > 1e-9 ? sin(angle / 2) / angle : 0.5
    self.init(rotation * sineByAngle, cos(angle / 2))
  }

  /// Creates the smallest rotation that turns one direction to another.
  ///
  /// - Parameters:
  ///   - from: of length one.
  ///   - to: of length one. If it is opposite, the axis can be any at a right angle.
  public init(from: SIMD3<Double>, to: SIMD3<Double>) {
    let cosine = (from * to).sum()
    guard cosine > -1 + 1e-12 else {
      // The axis to which the direction is least parallel makes the longest product.
      let size = SIMD3(abs(from.x), abs(from.y), abs(from.z))
      let other: SIMD3<Double> =
        size.x <= size.y && size.x <= size.z
        ? SIMD3(1, 0, 0) : size.y <= size.z ? SIMD3(0, 1, 0) : SIMD3(0, 0, 1)
      self.init(from.cross(other), 0)
      return
    }
    self.init(from.cross(to), 1 + cosine)
  }

  /// The rotation back.
  public var inverse: Quaternion { Quaternion(-vector, w) }

  /// Turns a vector.
  public func rotating(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    let twice = 2 * self.vector.cross(vector)
    return vector + w * twice + self.vector.cross(twice)
  }

  /// The rotation that turns by the second one first, and then by the first one.
  public static func * (first: Quaternion, second: Quaternion) -> Quaternion {
    Quaternion(
      first.w * second.vector + second.w * first.vector + first.vector.cross(second.vector),
      first.w * second.w - (first.vector * second.vector).sum())
  }
}
