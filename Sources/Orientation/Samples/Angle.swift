// SPDX-License-Identifier: Apache-2.0

/// An angle of the configuration.
///
/// Its sine is computed once, so the hot loop needs no trigonometry.
package struct Angle: Equatable, Sendable, BitwiseCopyable {
  /// The angle in degrees.
  package let degrees: Double

  /// Creates an angle.
  package init(degrees: Double) {
    self.degrees = degrees
  }

  /// The sine, for angles from -90 to 90 degrees.
  ///
  /// It is the Taylor series for half the angle, doubled: exact to 1e-12 in these limits, and without a library.
  package var sine: Double {
    let half = degrees * .pi / 360
    var (sine, cosine, term) = (0.0, 0.0, 1.0)
    for power in 0..<16 {
      switch power % 4 {
      case 0: cosine += term
      case 1: sine += term
      case 2: cosine -= term
      default: sine -= term
      }
      term *= half / Double(power + 1)
    }
    return 2 * sine * cosine
  }

  /// The angle between two directions, 0 to 180 degrees, without a library: of half the angle, half their distance is the sine.
  ///
  /// - Parameters:
  ///   - one: a vector of length one.
  ///   - other: another one.
  package init(between one: SIMD3<Double>, and other: SIMD3<Double>) {
    let sine = (one - other).length / 2
    // Each halving of the range finds one more bit: 50 are 1e-13 degrees.
    var (least, most) = (0.0, 90.0)
    for _ in 0..<50 {
      let middle = (least + most) / 2
      if Angle(degrees: middle).sine < sine { least = middle } else { most = middle }
    }
    self.init(degrees: least + most)
  }
}
