// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A value that follows another one smoothly, without overshoot: a critically damped spring.
///
/// The daemon renews gravity only a few times a second; with the spring, the tablet turns evenly between two values.
struct Spring<Value: SIMD> where Value.Scalar == Double {
  /// The present value.
  private(set) var value: Value
  private var velocity: Value
  /// How stiff it is: most of a step has passed after 3 / stiffness seconds.
  private let stiffness: Double

  /// Creates a spring at rest.
  init(at value: Value, stiffness: Double) {
    self.value = value
    velocity = Value()
    self.stiffness = stiffness
  }

  /// Moves on; it is the exact solution, so the steps can have any length.
  mutating func follow(_ target: Value, seconds: Double) {
    let distance = value - target
    let impulse = velocity + distance * stiffness
    let decay = exp(-stiffness * seconds)
    value = target + (distance + impulse * seconds) * decay
    velocity = (velocity - impulse * (stiffness * seconds)) * decay
  }

  /// Whether it has arrived, as far as a picture can show it.
  func isAtRest(at target: Value, within tolerance: Double = 0.002) -> Bool {
    let (distance, motion) = (value - target, velocity)
    return (distance * distance).sum() < tolerance * tolerance
      && (motion * motion).sum() < tolerance * tolerance * stiffness * stiffness
  }
}
