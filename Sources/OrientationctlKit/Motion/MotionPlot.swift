// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The picture of the samples of a motion sensor: x, y and z over time.
struct MotionPlot {
  /// A longer time without samples, in usual times between two, interrupts the lines.
  private static let longestGap = 5.0

  /// The drawing.
  private(set) var picture = SVGPicture(width: 1200, height: 360)

  /// Draws samples.
  ///
  /// - Parameters:
  ///   - samples: one whose time is not above that of the one before is left out.
  ///   - sensor: whose they are.
  init(_ samples: [KeptSamples.Sample], of sensor: MotionCommand.Sensor) {
    var points: [(second: Double, vector: SIMD3<Double>)] = []
    for sample in samples {
      let second = samples.first.map { sample.time.seconds(since: $0.time) } ?? 0
      if second > points.last?.second ?? -.infinity { points.append((second, SIMD3<Double>(sample.vector))) }
    }
    let seconds = points.last?.second ?? 0
    let gaps = zip(points, points.dropFirst()).map { $1.second - $0.second }.sorted()
    let usualGap = gaps.isEmpty ? 0 : gaps[gaps.count / 2]
    let rate = usualGap > 0 ? 1 / usualGap : 0
    let unit = sensor == .gyroscope ? "rad/s" : "m/s²"
    picture.title(sensor.rawValue, samples: points.count, seconds: seconds, rate: rate)
    var limit = 1.0
    for point in points {
      for index in 0..<3 where point.vector[index].isFinite { limit = max(limit, abs(point.vector[index])) }
    }
    let row = PlotRow(
      time: TimeScale(seconds: 0...seconds, pixels: 90...1180), values: -limit...limit, top: 40, height: 280)
    row.drawFrame(
      name: unit, labels: (decimal(-limit, places: 1), decimal(limit, places: 1)), in: &picture)
    row.drawLegend(PlotRow.axes, in: &picture)
    row.drawAxes(points.split(atGapsOver: Self.longestGap * usualGap), in: &picture)
    row.time.drawTicks(at: 334, in: &picture)
  }
}

extension [(second: Double, vector: SIMD3<Double>)] {
  /// The parts between which more seconds pass than these.
  fileprivate func split(atGapsOver seconds: Double) -> [ArraySlice<Element>] {
    let starts = indices.dropFirst().filter { self[$0].second - self[$0 - 1].second > seconds }
    return zip([startIndex] + starts, starts + [endIndex]).map { self[$0..<$1] }
  }
}

/// The newest samples, for a picture.
struct KeptSamples {
  /// A sample, in the precision of the socket: an hour of SIMD3<Double> would be 46 MB.
  typealias Sample = (time: BootTime, vector: SIMD3<Float>)

  /// How many of the newest samples are kept at least: an hour at 200 Hz.
  static let most = 720_000

  /// Those that are kept, in the order in which they came.
  private(set) var samples: [Sample] = []
  private let limit: Int

  /// Keeps nothing yet.
  init(limit: Int = Self.most) { self.limit = limit }

  /// Keeps a sample; of twice as many as are wanted, the older half is dropped at once.
  mutating func add(_ sample: Sample) {
    if samples.count >= 2 * limit { samples.removeFirst(limit) }
    samples.append(sample)
  }
}
