// SPDX-License-Identifier: Apache-2.0

/// The letters "Aa" as strokes, which can be turned by any angle.
enum Letters {
  /// A stroke: a cubic Bézier curve.
  private struct Stroke {
    let start: SIMD2<Double>
    let first: SIMD2<Double>
    let second: SIMD2<Double>
    let end: SIMD2<Double>

    /// A straight one.
    init(_ start: SIMD2<Double>, _ end: SIMD2<Double>) {
      self.init(start, start + (end - start) / 3, start + (end - start) * (2 / 3), end)
    }

    init(_ start: SIMD2<Double>, _ first: SIMD2<Double>, _ second: SIMD2<Double>, _ end: SIMD2<Double>) {
      (self.start, self.first, self.second, self.end) = (start, first, second, end)
    }

    func point(at share: Double) -> SIMD2<Double> {
      let rest = 1 - share
      return start * (rest * rest * rest) + first * (3 * rest * rest * share)
        + second * (3 * rest * share * share) + end * (share * share * share)
    }

    /// Not shorter than it is.
    var length: Double { (first - start).norm + (second - first).norm + (end - second).norm }
  }

  private static let strokes = [
    // A
    Stroke(SIMD2(0, 0), SIMD2(0.38, 1)), Stroke(SIMD2(0.38, 1), SIMD2(0.76, 0)),
    Stroke(SIMD2(0.14, 0.34), SIMD2(0.62, 0.34)),
    // a: the arch with the stem, and the bowl
    Stroke(SIMD2(0.96, 0.55), SIMD2(1.02, 0.72), SIMD2(1.40, 0.74), SIMD2(1.40, 0.45)),
    Stroke(SIMD2(1.40, 0.45), SIMD2(1.40, 0)),
    Stroke(SIMD2(1.40, 0.38), SIMD2(1.20, 0.38), SIMD2(0.92, 0.38), SIMD2(0.92, 0.19)),
    Stroke(SIMD2(0.92, 0.19), SIMD2(0.92, -0.08), SIMD2(1.32, -0.06), SIMD2(1.40, 0.18)),
  ]

  /// The middle of the letters.
  private static let middle = SIMD2(0.70, 0.5)

  /// Points of the strokes, in heights of a capital, from the middle: to the right, and up.
  ///
  /// - Parameter spacing: how close they are at least.
  /// - Returns: the points.
  static func points(spacing: Double) -> [SIMD2<Double>] {
    strokes.flatMap { stroke in
      let count = max(Int((stroke.length / spacing).rounded(.up)), 1)
      return (0...count).map { stroke.point(at: Double($0) / Double(count)) - middle }
    }
  }
}

extension SIMD2<Double> {
  fileprivate var norm: Double { (self * self).sum().squareRoot() }
}
