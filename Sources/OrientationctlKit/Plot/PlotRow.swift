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

  /// The names and colours of x, y and z.
  static let axes: [(name: String, colour: String)] = [("x", "#cc3311"), ("y", "#228833"), ("z", "#2233bb")]

  /// Draws x, y and z of vectors; between two parts, nothing is known of them.
  func drawAxes(
    _ parts: some Sequence<some Collection<(second: Double, vector: SIMD3<Double>)>>,
    in picture: inout SVGPicture
  ) {
    for (index, axis) in Self.axes.enumerated() {
      for part in parts { draw(part.map { ($0.second, $0.vector[index]) }, axis.colour, in: &picture) }
    }
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

/// Where a time lies in a plot, from left to right.
struct TimeScale {
  /// The first and the last second that are shown.
  let seconds: ClosedRange<Double>
  /// The left and the right end in the picture.
  let pixels: ClosedRange<Double>

  /// The position of a time.
  func x(_ second: Double) -> Double {
    let span = seconds.upperBound - seconds.lowerBound
    let share = span > 0 ? (second - seconds.lowerBound) / span : 0
    return pixels.lowerBound + share * (pixels.upperBound - pixels.lowerBound)
  }

  /// Round times for the axis, ten at most.
  var ticks: [Double] {
    let span = seconds.upperBound - seconds.lowerBound
    guard span > 0, span.isFinite else { return [seconds.lowerBound] }
    // 1, 2, 5, 10, 20, 50 ... thousandths of a second.
    var step = 0.001
    var count = 0
    while span / step > 10 {
      step *= count % 3 == 1 ? 2.5 : 2
      count += 1
    }
    let first = (seconds.lowerBound / step).rounded(.up)
    let last = (seconds.upperBound / step).rounded(.down)
    return first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
  }

  /// The points of a line, at most four a pixel: the first, the lowest, the highest and the last value of each.
  ///
  /// A recording of an hour has more samples than a picture has pixels, and single knocks must stay visible.
  func points(_ samples: [(second: Double, value: Double)]) -> [(x: Double, value: Double)] {
    var points: [(x: Double, value: Double)] = []
    var index = samples.startIndex
    while index < samples.endIndex {
      let pixel = x(samples[index].second).rounded(.down)
      var end = index
      var lowest = index
      var highest = index
      while end < samples.endIndex, x(samples[end].second).rounded(.down) == pixel {
        if samples[end].value < samples[lowest].value { lowest = end }
        if samples[end].value > samples[highest].value { highest = end }
        end += 1
      }
      for chosen in Set([index, lowest, highest, end - 1]).sorted() {
        points.append((x(samples[chosen].second), samples[chosen].value))
      }
      index = end
    }
    return points
  }
}
