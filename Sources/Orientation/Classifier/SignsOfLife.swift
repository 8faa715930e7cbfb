// SPDX-License-Identifier: Apache-2.0

/// Distinguishes a sensor that works from one that delivers a constant that is not gravity: zeros, a chip at the end of its
/// range, an absurd scale, or values that are not numbers.
///
/// A tablet that lies still reads gravity, and one that moves does not read the same for long. No tablet falls freely for
/// ``patience``, which would be eleven metres. A reading that may be gravity proves at once that the sensor works, whatever
/// was read before.
public struct SignsOfLife: Sendable, BitwiseCopyable {
  /// How long a sensor may read such a constant, in seconds: as long as it may deliver nothing before it counts as silent.
  public static let patience = 1.5

  /// How much a constant may vary on an axis, as a fraction of its largest component: five deviations of a chip with 10 mg
  /// of noise and an absurd scale.
  private static let variation = 0.05

  /// What is known about a sensor.
  public enum Verdict: Sendable {
    /// It works.
    case alive
    /// Its reading is not gravity, but not for long yet.
    case doubtful
    /// It does not work.
    case dead
  }

  /// The first of a series of equal readings that are not gravity; nil if there is none.
  private var constant: Sample<SensorFrame>?

  /// Creates a check for a sensor without samples.
  public init() {}

  /// Processes a sample; a few in a second are enough.
  ///
  /// - Parameter sample: the latest sample.
  /// - Returns: what it shows about the sensor.
  @inline(never)
  public mutating func verdict(on sample: Sample<SensorFrame>) -> Verdict {
    guard !sample.acceleration.mayBeGravity else {
      constant = nil
      return .alive
    }
    guard let constant else {
      constant = sample
      return .doubtful
    }
    guard Self.isSame(sample.acceleration, as: constant.acceleration) else {
      self.constant = sample
      return .alive
    }
    return sample.time.seconds(since: constant.time) >= Self.patience ? .dead : .doubtful
  }

  private static func isSame(
    _ reading: Acceleration<SensorFrame>, as constant: Acceleration<SensorFrame>
  ) -> Bool {
    let largest = max(abs(constant.x), abs(constant.y), abs(constant.z))
    let tolerance = max(Rest.leastTolerance, Self.variation * largest)
    // Written so that a value that is not a number equals all others.
    return
      !(abs(reading.x - constant.x) > tolerance || abs(reading.y - constant.y) > tolerance
      || abs(reading.z - constant.z) > tolerance)
  }
}
