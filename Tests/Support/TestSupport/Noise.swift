// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A generator of normally distributed numbers that gives the same numbers every time.
package struct Noise {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A number between 0 and 1.
  package mutating func uniform() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

  /// A number of the normal distribution with this deviation (Box and Muller 1958).
  package mutating func normal(deviation: Double) -> Double {
    deviation * sqrt(-2 * log(1 - uniform())) * cos(2 * .pi * uniform())
  }

  /// A vector of such numbers.
  package mutating func vector(deviation: Double) -> SIMD3<Double> {
    SIMD3(normal(deviation: deviation), normal(deviation: deviation), normal(deviation: deviation))
  }

  /// A vector of length one, in any direction alike.
  package mutating func direction() -> SIMD3<Double> {
    let vector = vector(deviation: 1)
    return vector / (vector * vector).sum().squareRoot()
  }
}
