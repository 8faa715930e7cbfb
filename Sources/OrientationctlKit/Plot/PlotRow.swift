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

  /// Draws the background, the line at zero, and the names of the row and of its values.
  ///
  /// - Parameters:
  ///   - name: what the row shows.
  ///   - labels: of the lowest and the highest value; nil is the numbers themselves.
  ///   - picture: where to.
  func drawFrame(
    name: String, labels: (lowest: String, highest: String)? = nil, in picture: inout SVGPicture
  ) {
    let (left, right) = (time.pixels.lowerBound, time.pixels.upperBound)
    picture.rectangle(x: left, y: top, width: right - left, height: height, fill: "#f4f4f4")
    picture.text(name, x: 4, y: top + 24)
    if values.contains(0), values.lowerBound < 0 {
      picture.line((left, y(0)), (right, y(0)), stroke: "#cccccc")
    }
    guard height > 50 else { return }
    let labels = labels ?? (decimal(values.lowerBound, places: 0), decimal(values.upperBound, places: 0))
    picture.text(labels.highest, x: 84, y: top + 9, anchor: .end, fill: "#666666")
    picture.text(labels.lowest, x: 84, y: top + height, anchor: .end, fill: "#666666")
  }

  /// Writes names in their colours, above the row, where no data is.
  func drawLegend(_ entries: [(name: String, colour: String)], in picture: inout SVGPicture) {
    var x = time.pixels.upperBound
    for entry in entries.reversed() {
      picture.text(entry.name, x: x, y: top - 2, anchor: .end, fill: entry.colour)
      x -= 6.2 * Double(entry.name.count) + 12
    }
  }
}

extension TimeScale {
  /// Draws the times at a height of the picture, with the unit at the left.
  func drawTicks(at y: Double, in picture: inout SVGPicture) {
    for tick in ticks {
      picture.line((x(tick), y - 8), (x(tick), y - 4), stroke: "black")
      picture.text(shortDecimal(tick), x: x(tick), y: y + 8, anchor: .middle)
    }
    picture.text("s", x: pixels.lowerBound - 8, y: y + 8, anchor: .end)
  }
}
