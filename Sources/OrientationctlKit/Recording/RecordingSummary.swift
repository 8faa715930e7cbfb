// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// What a recording shows of the sensor itself: whether it keeps its rate, and how much it hisses.
///
/// It needs the same memory for a second as for a day.
struct RecordingSummary {
  /// The number of samples.
  private(set) var count = 0
  /// The number of samples that the sensor should have delivered in between, and did not.
  private(set) var lost = 0

  private var first: BootTime?
  private var last: BootTime?
  private var extremes: [Extremes] = [Extremes(), Extremes(), Extremes()]
  private var window = Window()
  /// The standard deviation of an axis in the quietest second, m/s^2; infinity before a second has passed.
  private var quietest = Double.infinity

  /// In a second with more than this on an axis, m/s^2, the device was not at rest: a hand alone causes 0.1.
  private static let mostAtRest = 0.3
  /// Where a sensor can be saturated, m/s^2: no chip has a range below 2 g, and nothing at rest reads more than 1.5 g.
  private static let leastSaturated = 1.5 * standardGravity

  /// Adds the next sample.
  ///
  /// - Parameters:
  ///   - sample: in the chip's own axes.
  ///   - rate: at which it was to be sampled, in hertz.
  mutating func add(_ sample: Sample<SensorFrame>, rate: Double) {
    if let last {
      let periods = (sample.time.seconds(since: last) * rate).rounded()
      // After a sleep of the machine, the number says nothing; it must only not overflow.
      if periods > 1 { lost += Int(min(periods, 1e9)) - 1 }
    }
    if first == nil { first = sample.time }
    last = sample.time
    count += 1
    let axes = sample.acceleration.vector
    for index in axes.indices { extremes[index].add(axes[index]) }
    if let deviation = window.add(axes, at: sample.time) { quietest = min(quietest, deviation) }
  }

  /// The time from the first to the last sample, in seconds.
  var duration: Double {
    first.flatMap { first in last.map { $0.seconds(since: first) } } ?? 0
  }

  /// The samples at an end of the range of an axis.
  var saturated: Int { extremes.reduce(0) { $0 + $1.saturated(above: Self.leastSaturated) } }

  /// The rate, the lost and the saturated samples, and the noise, for people.
  var text: String {
    let rate = duration > 0 ? "\(decimal(Double(count - 1) / duration, places: 1)) samples a second, " : ""
    let noise: String? =
      switch quietest {
      case .infinity: nil
      case ...Self.mostAtRest: "noise at rest \(decimal(quietest, places: 3)) m/s^2"
      default: "never at rest for a second"
      }
    let limited = "\(saturated) at the limit of the sensor's range"
    return "\(rate)\(lost) lost, \(limited)\(noise.map { ", \($0)" } ?? "")"
  }
}

/// The lowest and the highest value of an axis, and how often each was read.
private struct Extremes {
  private var lowest = (value: Double.infinity, count: 0)
  private var highest = (value: -Double.infinity, count: 0)

  mutating func add(_ value: Double) {
    if value < lowest.value { lowest = (value, 0) }
    if value > highest.value { highest = (value, 0) }
    if value == lowest.value { lowest.count += 1 }
    if value == highest.value { highest.count += 1 }
  }

  /// A knock reaches its highest value once; the end of a range is read again and again.
  func saturated(above limit: Double) -> Int {
    [lowest, highest].filter { abs($0.value) >= limit && $0.count > 2 }.reduce(0) { $0 + $1.count }
  }
}

/// A second of samples.
private struct Window {
  private var start: BootTime?
  private var count = 0.0
  private var sums = SIMD3<Double>()
  private var squares = SIMD3<Double>()
  /// Subtracted from each value, so that little is lost where a large number is the mean.
  private var origin = SIMD3<Double>()

  /// Adds a sample.
  ///
  /// - Returns: the standard deviation of an axis in the second before it, if one has passed; nil if it has fewer than five samples.
  mutating func add(_ axes: SIMD3<Double>, at time: BootTime) -> Double? {
    var deviation: Double?
    if let begin = start, !(0..<1).contains(time.seconds(since: begin)) {
      deviation = count >= 5 ? self.deviation : nil
      start = nil
    }
    if start == nil {
      self = Window()
      start = time
      origin = axes
    }
    count += 1
    sums += axes - origin
    squares += (axes - origin) * (axes - origin)
    return deviation
  }

  private var deviation: Double {
    let variance = (squares / count - (sums / count) * (sums / count)).sum()
    return (max(variance, 0) / 3).squareRoot()
  }
}
