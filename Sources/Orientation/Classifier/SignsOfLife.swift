// SPDX-License-Identifier: Apache-2.0

/// Tells a sensor that works from one that delivers a constant which is no gravity: zeros, a chip at the end of its range, a
/// scale that is absurd, no number at all.
///
/// What lies still reads gravity, and what moves does not read the same for long. No tablet falls freely for ``patience``, which
/// would be eleven metres. What may be gravity is alive at once, whatever was read before.
public struct SignsOfLife: Sendable, BitwiseCopyable {
  /// How long a sensor may read such a constant, in seconds: as long as it may say nothing (DESIGN.md section 6).
  public static let patience = 1.5

  /// How much a constant may vary on an axis, as a share of its largest component: five deviations of a chip with 10 mg of noise
  /// whose scale is absurd.
  private static let variation = 0.05

  /// What there is to say of a sensor.
  public enum Verdict: Sendable {
    /// It works.
    case alive
    /// What it reads is no gravity, and not for long yet.
    case doubtful
    /// It does not work.
    case dead
  }

  /// Since when all that it reads is the same, and no gravity; nil where that is not so.
  private var constant: Sample<SensorFrame>?

  /// Creates a watch over a sensor that nothing is known of.
  public init() {}

  /// Takes in a sample; a few in a second are enough.
  ///
  /// - Parameter sample: the latest sample.
  /// - Returns: what it says of the sensor.
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
    // Written so that what is no number is the same as all else.
    return
      !(abs(reading.x - constant.x) > tolerance || abs(reading.y - constant.y) > tolerance
      || abs(reading.z - constant.z) > tolerance)
  }
}
