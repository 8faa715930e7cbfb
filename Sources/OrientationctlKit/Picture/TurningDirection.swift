// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A direction that follows another one smoothly, and never faster than a hand turns a tablet.
struct TurningDirection {
  /// The greatest speed, in radians a second.
  private static let speed = 7.0

  /// The present direction, of length one.
  private(set) var value: SIMD3<Double>
  private var spring: Spring<SIMD3<Double>>

  /// Starts at rest.
  init(at value: SIMD3<Double>) {
    self.value = value
    spring = Spring(at: value, stiffness: 8)
  }

  /// Moves on.
  ///
  /// - Parameters:
  ///   - target: the direction to follow, of length one.
  ///   - seconds: for how long.
  mutating func follow(_ target: SIMD3<Double>, seconds: Double) {
    spring.follow(target, seconds: seconds)
    // Within half a turn, the spring comes close to zero, where it has no direction.
    let length = spring.value.norm
    guard length > 0.01 else { return }
    let wanted = spring.value / length
    var across = value.cross(wanted)
    let angle = atan2(across.norm, (value * wanted).sum())
    guard angle > Self.speed * seconds else { return value = wanted }
    if across.norm < 1e-6 { across = value.cross(abs(value.z) < 0.9 ? SIMD3(0, 0, 1) : SIMD3(1, 0, 0)) }
    let side = across.cross(value) / across.norm
    let step = Self.speed * seconds
    value = value * cos(step) + side * sin(step)
    value /= value.norm
  }

  /// Whether it has arrived, as far as a picture can show it.
  func isAtRest(at target: SIMD3<Double>) -> Bool {
    spring.isAtRest(at: target, within: 0.006) && (value * target).sum() > 0.9999
  }
}
