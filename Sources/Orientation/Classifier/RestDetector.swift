// SPDX-License-Identifier: Apache-2.0

// When may the sensor be left alone? Nearly always a tablet lies still, and 25 samples a second say the same. So the
// rate adapts: a tablet that has been still for a second is at rest, and its sensor is asked less often, or reports by itself
// when something changes. The first reading off the rest brings the full rate back. Three rules keep that harmless:
//
// 1. Still is what stays within the sensor's own noise. `RestDetector` looks at a sample four times a second; after a second
//    (longer after a rest that was short, so that nothing flaps) their mean is where the tablet lies, and six times their
//    deviation is what may pass for noise. Too much of it, and there is no rest.
// 2. A rest begins only where no reading that it passes over could be evidence (`OrientationPipeline.isSettled`): the
//    orientation is known, nothing speaks against it, and gravity is further from every border than the rest reaches.
//    So what is not looked at at rest would have changed nothing, and a tablet close to a border is watched at the full rate.
// 3. At the end of a rest the pipeline is told of it (`OrientationPipeline.rest`) as if every sample had come: the tablet
//    lay still until one period of the full rate before the reading that was off. So neither does one reading count for
//    the whole rest, nor does the rest pass for a gap; a turn is decided as ever, but for the time until it is noticed.

/// Tells from samples when the tablet is at rest.
public struct RestDetector: Sendable {
  /// How often a tablet at rest is looked at, in seconds, where the sensor does not report by itself.
  ///
  /// With a hundredth of a second for the look itself, a tablet that leaves its rest is sampled at the full rate within 0.2 s.
  /// Longer would be too late; shorter costs more: a look is a wake-up, which costs more than all that is read and reckoned
  /// in it. In an emulated machine it takes 400 us; a program in C that only waits and reads the same two axes takes 390
  /// there, and 370 with one axis.
  public static let restPeriod = 0.19

  /// For how long the tablet must have been still, in nanoseconds.
  private static let shortestStillness: UInt64 = 1_000_000_000
  /// The same after rests that were short, in nanoseconds.
  private static let longestStillness: UInt64 = 8_000_000_000
  /// In how many samples it must have been.
  private static let leastCount: Float = 4
  /// What may pass for noise, in deviations.
  ///
  /// Of five samples the deviation is uncertain by a fifth; three times the true one still interrupts a rest only once
  /// a minute.
  private static let noiseDeviations: Float = 6

  /// The square of the distance from the first reading that ends a stillness at once, (m/s^2)^2.
  private static let nearby = Float(Rest.largestTolerance * Rest.largestTolerance)
  /// Where no reading is near.
  private static let nowhere = SIMD4<Float>(repeating: .infinity)

  private var neededStillness = RestDetector.shortestStillness
  /// When the stillness began, and with what reading; all others are taken by their offset from it.
  private var start = BootTime(nanoseconds: 0)
  private var first = RestDetector.nowhere
  private var count: Float = 0
  private var sum = SIMD4<Float>()
  private var squares = SIMD4<Float>()

  /// Creates a detector that has seen nothing yet.
  public init() {}

  /// Takes in a sample, about four times a second.
  ///
  /// - Parameter sample: the latest sample.
  /// - Returns: whether the tablet has been still for long enough.
  @inline(never)
  public mutating func isStill(after sample: Sample<SensorFrame>) -> Bool {
    let read = sample.acceleration
    let reading = SIMD4(Float(read.x), Float(read.y), Float(read.z), 0)
    let offset = reading - first
    let squared = offset * offset
    // As an unsigned number, time that goes back is long as well. What is no number is not near.
    let stillness = UInt64(bitPattern: sample.time.nanoseconds &- start.nanoseconds)
    guard squared.x + squared.y + squared.z <= Self.nearby else {
      restart(at: sample.time, reading)
      return false
    }
    count += 1
    sum += offset
    squares += squared
    return stillness >= neededStillness
  }

  /// Takes in that the tablet moved: the rest is over.
  ///
  /// - Parameter time: the time of the reading that was off.
  public mutating func moved(at time: BootTime) {
    // It began when the stillness was long enough.
    let rested = UInt64(bitPattern: time.nanoseconds &- start.nanoseconds) &- neededStillness
    neededStillness =
      rested < 2 * neededStillness ? min(2 * neededStillness, Self.longestStillness) : Self.shortestStillness
  }

  /// Makes a rest of the stillness, and starts anew.
  ///
  /// - Parameter pipeline: the pipeline, which has taken in the samples.
  /// - Returns: the rest; nil where the tablet has to be watched, for noise, or for where it lies.
  public mutating func takeRest(in pipeline: OrientationPipeline) -> Rest? {
    defer { first = Self.nowhere }
    // A gap, or time that goes back, is no stillness.
    guard count >= Self.leastCount else { return nil }
    let mean = sum / count
    let variance = (squares / count - mean * mean).sum() * count / (3 * (count - 1))
    let place = first + mean
    let tolerance = max(
      Double(Self.noiseDeviations * max(variance, 0).squareRoot()), Rest.leastTolerance)
    let rest = Rest(
      at: Acceleration(x: Double(place.x), y: Double(place.y), z: Double(place.z)), tolerance: tolerance)
    return tolerance <= Rest.largestTolerance && pipeline.isSettled(at: rest) ? rest : nil
  }

  private mutating func restart(at time: BootTime, _ reading: SIMD4<Float>) {
    start = time
    count = 1
    first = reading
    sum = SIMD4()
    squares = SIMD4()
  }
}
