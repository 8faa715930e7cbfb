// SPDX-License-Identifier: Apache-2.0

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
