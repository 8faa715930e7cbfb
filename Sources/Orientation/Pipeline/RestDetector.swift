// SPDX-License-Identifier: Apache-2.0

// The sensor need not always run at its full rate: a tablet usually lies still, and all of 25 samples a second are the
// same. So the rate adapts: a tablet that has been still for a second is at rest, and its sensor is read less often, or
// reports changes itself. The first reading off the rest restores the full rate. Three rules ensure that this does not change
// the result:
//
// 1. The tablet is still while readings stay within the sensor's own noise. `RestDetector` checks a sample four times a
//    second. After a second (longer after a short rest, to avoid frequent switches), the mean of these is the position of the
//    rest, and six times their deviation is the tolerance for noise. If that is too much, there is no rest.
// 2. A rest begins only if no reading that it skips could be evidence (`OrientationPipeline.isSettled`): the orientation is
//    known, there is no evidence against it, and gravity is further from every border than the rest's tolerance. So the skipped
//    readings would have changed nothing, and a tablet close to a border is sampled at the full rate.
// 3. At the end of a rest, the pipeline gets its duration (`OrientationPipeline.rest`) as if every sample had come: the
//    tablet lay still until one period of the full rate before the reading that was off. So one reading does not count for the
//    whole rest, and the rest does not count as a gap. A turn is decided as usual, after the time until it is noticed.

/// Detects from samples when the tablet is at rest.
package struct RestDetector: Sendable {
  /// How often the sensor of a tablet at rest is read at first, in seconds, if it does not report changes itself.
  ///
  /// With a hundredth of a second for the read itself, a tablet that leaves its rest is sampled at the full rate within 0.2
  /// s. A longer period would be too late, and a shorter one costs more: each read is a wakeup, which costs more than all
  /// that is read and computed in it. In an emulated machine, it takes 400 us; a program in C that only waits and reads the
  /// same two axes takes 390 us there, and 370 us with one axis.
  package static let restPeriod = 0.19

  /// How long the tablet must have been still, in nanoseconds.
  private static let shortestStillness: UInt64 = 1_000_000_000
  /// The same after short rests, in nanoseconds.
  private static let longestStillness: UInt64 = 8_000_000_000
  /// In how many samples the tablet must have been still.
  private static let leastCount: Float = 4
  /// The tolerance for noise, in deviations.
  ///
  /// The deviation of five samples is uncertain by a fifth; even three times the true deviation would interrupt a rest only
  /// once a minute.
  private static let noiseDeviations: Float = 6

  /// The square of the distance from the first reading that ends the stillness at once, as a part of the reading's square.
  private static let nearby = Float(Rest.largestTolerance * Rest.largestTolerance)
  /// A position to which no reading is near.
  private static let nowhere = SIMD4<Float>(repeating: .infinity)

  private let pace: RestPace
  private var neededStillness = RestDetector.shortestStillness
  /// When the stillness began, and the first reading; the other readings are stored as offsets from it.
  private var start = BootTime(nanoseconds: 0)
  private var first = RestDetector.nowhere
  private var count: Float = 0
  private var sum = SIMD4<Float>()
  private var squares = SIMD4<Float>()

  /// Creates a detector without samples.
  ///
  /// - Parameter pace: how often the sensor of a tablet at rest is read.
  package init(pace: RestPace = .slowing) {
    self.pace = pace
  }

  /// Processes a sample, about four times a second.
  ///
  /// - Parameter sample: the latest sample.
  /// - Returns: whether the tablet has been still for long enough.
  @inline(never)
  package mutating func isStill(after sample: Sample<SensorFrame>) -> Bool {
    let read = sample.acceleration
    let reading = SIMD4(Float(read.x), Float(read.y), Float(read.z), 0)
    let offset = reading - first
    let squared = offset * offset
    // As an unsigned number, time that goes back is long too. A reading that is not a number is not near.
    let stillness = UInt64(bitPattern: sample.time.nanoseconds &- start.nanoseconds)
    guard squared.sum() <= Self.nearby * (reading * reading).sum() else {
      restart(at: sample.time, reading)
      return false
    }
    count += 1
    sum += offset
    squares += squared
    return stillness >= neededStillness
  }

  /// Records that the tablet moved, so the rest is over.
  ///
  /// - Parameter time: the time of the reading that was off.
  package mutating func moved(at time: BootTime) {
    // The rest began when the stillness was long enough.
    let rested = UInt64(bitPattern: time.nanoseconds &- start.nanoseconds) &- neededStillness
    neededStillness =
      rested < 2 * neededStillness ? min(2 * neededStillness, Self.longestStillness) : Self.shortestStillness
  }

  /// Creates a rest from the stillness, and starts again.
  ///
  /// - Parameter pipeline: the pipeline, which has processed the samples.
  /// - Returns: the rest; nil if the full rate is needed, because of noise or of the tablet's position.
  package mutating func takeRest(in pipeline: OrientationPipeline) -> Rest? {
    defer { first = Self.nowhere }
    // After a gap, or when time goes back, there is no stillness.
    guard count >= Self.leastCount else { return nil }
    let mean = sum / count
    let variance = (squares / count - mean * mean).sum() * count / (3 * (count - 1))
    let place = first + mean
    let acceleration = Acceleration<SensorFrame>(x: Double(place.x), y: Double(place.y), z: Double(place.z))
    // Gravity as this sensor reads it, whose scale may be wrong.
    let gravity = acceleration.vector.length
    let tolerance = max(
      Double(Self.noiseDeviations * max(variance, 0).squareRoot()), Rest.leastTolerance * gravity)
    let rest = Rest(at: acceleration, tolerance: tolerance, pace: pace, isLevel: pipeline.isLevel)
    return tolerance <= Rest.largestTolerance * gravity && pipeline.isSettled(at: rest) ? rest : nil
  }

  private mutating func restart(at time: BootTime, _ reading: SIMD4<Float>) {
    start = time
    count = 1
    first = reading
    sum = SIMD4()
    squares = SIMD4()
  }
}
