// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The samples for the classifier while readers make the sensor faster: means, at the rate of the configuration.
///
/// A mean of neighbours has the noise of a slower sensor, whose chip takes such means itself. So the classifier's decisions are the same.
package struct BlockMean: BitwiseCopyable {
  /// If the sensor is not faster by this factor, its samples are used as they are.
  private static let leastFactor = 1.5
  /// How much earlier than expected the last sample of a block may be, as a fraction of the block.
  private static let tolerance: Int64 = 16

  /// The time of a block, in nanoseconds; 0 if samples are used as they are.
  private let period: Int64
  /// The ends of the blocks.
  private var ends: Schedule
  private var sum = SIMD3<Double>()
  private var count = 0.0

  /// Creates a mean without samples.
  ///
  /// - Parameters:
  ///   - rate: the wanted rate, in hertz.
  ///   - sensorRate: that of the sensor, in hertz.
  package init(rate: Double, sensorRate: Double) {
    period = sensorRate < rate * Self.leastFactor ? 0 : Int64(1e9 / rate)
    ends = Schedule(every: period)
  }

  /// Adds a sample.
  ///
  /// - Returns: the mean of the block that the sample completes, with the sample's time; nil if it completes none.
  @inline(__always)
  mutating func add(_ sample: Sample<SensorFrame>) -> Sample<SensorFrame>? {
    guard period > 0 else { return sample }
    // What was read before is of another block then.
    if ends.isOutside(sample.time) { (sum, count) = (SIMD3(), 0) }
    let reading = sample.acceleration
    // One that is not a number would make the whole block useless.
    if reading.isFinite {
      sum += SIMD3(reading.x, reading.y, reading.z)
      count += 1
    }
    guard ends.isDue(at: sample.time, early: period / Self.tolerance) else { return nil }
    ends.take(at: sample.time)
    defer { (sum, count) = (SIMD3(), 0) }
    guard count > 0 else { return nil }
    let mean = sum / count
    return Sample(time: sample.time, acceleration: Acceleration(x: mean.x, y: mean.y, z: mean.z))
  }
}
