// SPDX-License-Identifier: Apache-2.0

/// A row of a plot: values over the time line.
struct PlotRow {
  /// The time line.
  let time: TimeScale
  /// The values at the bottom and at the top; others are drawn at its edge.
  let values: ClosedRange<Double>
  /// The upper edge in the picture, in pixels.
  let top: Double
  /// In pixels.
  let height: Double

  /// The position of a value.
  func y(_ value: Double) -> Double {
    let shown = min(max(value, values.lowerBound), values.upperBound)
    return top + height * (values.upperBound - shown) / (values.upperBound - values.lowerBound)
  }

  /// Draws a line through samples; those that are not numbers are left out.
  func draw(_ samples: [(second: Double, value: Double)], _ colour: String, in picture: inout SVGPicture) {
    let points = time.points(samples.filter(\.value.isFinite)).map { (x: $0.x, y: y($0.value)) }
    picture.line(through: points, stroke: colour)
  }
}
