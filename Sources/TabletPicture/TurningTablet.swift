// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation

/// A tablet that turns smoothly until a direction is up, and never faster than a hand turns it.
package struct TurningTablet {
  /// The greatest speed, in radians a second.
  private static let speed = 7.0

  /// How it is turned now.
  package private(set) var attitude: Attitude
  /// The direction that is up now, in the device's axes, of length one.
  package private(set) var up: SIMD3<Double>
  private var spring: Spring<SIMD3<Double>>

  /// Starts at rest.
  package init(up: SIMD3<Double>) {
    self.up = up
    attitude = Attitude(up: up)
    spring = Spring(at: up, stiffness: 8)
  }

  /// Moves on.
  ///
  /// - Parameters:
  ///   - target: the direction that shall be up, of length one.
  ///   - seconds: for how long.
  package mutating func turn(_ target: SIMD3<Double>, seconds: Double) {
    follow(target, seconds: seconds)
    attitude.align(with: up)
    attitude.face(seconds: seconds)
  }

  private mutating func follow(_ target: SIMD3<Double>, seconds: Double) {
    spring.follow(target, seconds: seconds)
    // Within half a turn, the spring comes close to zero, where it has no direction.
    let length = spring.value.length
    guard length > 0.01 else { return }
    let wanted = spring.value / length
    var across = up.cross(wanted)
    let angle = atan2(across.length, (up * wanted).sum())
    guard angle > Self.speed * seconds else { return up = wanted }
    if across.length < 1e-6 { across = up.cross(abs(up.z) < 0.9 ? SIMD3(0, 0, 1) : SIMD3(1, 0, 0)) }
    let side = across.cross(up) / across.length
    let step = Self.speed * seconds
    up = up * cos(step) + side * sin(step)
    up /= up.length
  }

  /// Whether it has arrived, as far as a picture can show it.
  package func isAtRest(at target: SIMD3<Double>) -> Bool {
    spring.isAtRest(at: target, within: 0.006) && (up * target).sum() > 0.9999
      && abs(attitude.aversion) <= 0.01
  }
}

/// A value that follows another one smoothly, without overshoot: a critically damped spring.
///
/// The daemon renews gravity only a few times a second; with the spring, the tablet turns evenly between two values.
package struct Spring<Value: SIMD> where Value.Scalar == Double {
  /// The present value.
  package private(set) var value: Value
  private var velocity: Value
  /// How stiff it is: most of a step has passed after 3 / stiffness seconds.
  private let stiffness: Double

  /// Creates a spring at rest.
  package init(at value: Value, stiffness: Double) {
    self.value = value
    velocity = Value()
    self.stiffness = stiffness
  }

  /// Moves on; it is the exact solution, so the steps can have any length.
  package mutating func follow(_ target: Value, seconds: Double) {
    let distance = value - target
    let impulse = velocity + distance * stiffness
    let decay = exp(-stiffness * seconds)
    value = target + (distance + impulse * seconds) * decay
    velocity = (velocity - impulse * (stiffness * seconds)) * decay
  }

  /// Whether it has arrived, as far as a picture can show it.
  package func isAtRest(at target: Value, within tolerance: Double = 0.002) -> Bool {
    let (distance, motion) = (value - target, velocity)
    return (distance * distance).sum() < tolerance * tolerance
      && (motion * motion).sum() < tolerance * tolerance * stiffness * stiffness
  }
}
