// SPDX-License-Identifier: Apache-2.0

/// Distinguishes a sensor that works from one that delivers a constant that cannot be gravity: zeros, several axes at the end of their
/// range, or values that are not numbers.
///
/// A tablet that lies still reads gravity, if perhaps with a wrong scale (`GravityLength`), and one that moves does not read the same for
/// long. No tablet falls freely for ``patience``, which would be eleven metres. A reading that may be gravity proves at once that the sensor
/// works, whatever was read before.
///
/// If one axis is dead, a tablet whose gravity is along it reads zeros, too. The axis is known once the others have moved.
package struct SignsOfLife: Sendable, BitwiseCopyable {
  /// How long a sensor may read such a constant, in seconds: as long as it may deliver nothing before it counts as silent.
  package static let patience = 1.5

  /// How much a constant may vary on an axis, as a fraction of its largest component: five deviations of a chip with 10 mg
  /// of noise and an absurd scale.
  private static let variation = 0.05

  /// How far two axes must move while the third one stays the same to the last digit, m/s^2, so that this one is dead.
  private static let movement = 0.5 * standardGravity

  /// What is known about a sensor.
  package enum Verdict: Sendable {
    /// It works.
    case alive
    /// Its reading is not gravity, but not for long yet.
    case doubtful
    /// It does not work.
    case dead
  }

  /// The first of a series of equal readings that are not gravity; nil if there is none.
  private var constant: Sample<SensorFrame>?
  /// The first reading of all; nil before that.
  private var first: SIMD3<Double>?
  /// How far each axis has been from that.
  private var reach = SIMD3<Double>()

  /// Creates a check for a sensor without samples.
  ///
  /// - Parameter lacksZ: whether the sensor has no axis z, which then counts as dead.
  package init(lacksZ: Bool = false) {
    if lacksZ { reach = SIMD3(Self.movement * Self.movement, Self.movement * Self.movement, 0) }
  }

  /// Forgets the readings, but not which axes have moved: the sensor is opened anew.
  package mutating func startAgain() { constant = nil }

  /// Processes a sample; a few in a second are enough.
  ///
  /// - Parameter sample: the latest sample.
  /// - Returns: what it shows about the sensor.
  @inline(never)
  package mutating func verdict(on sample: Sample<SensorFrame>) -> Verdict {
    let reading = sample.acceleration
    look(at: reading.vector)
    guard !reading.mayBeGravity, !isAlongDeadAxis(reading) else {
      constant = nil
      return .alive
    }
    guard let constant else {
      constant = sample
      return .doubtful
    }
    guard Self.isSame(reading, as: constant.acceleration) else {
      self.constant = sample
      return .alive
    }
    return sample.time.seconds(since: constant.time) >= Self.patience ? .dead : .doubtful
  }

  private mutating func look(at reading: SIMD3<Double>) {
    guard let first else {
      self.first = reading
      return
    }
    // NaN is no distance.
    let distance = reading - first
    reach = reach.replacing(with: distance * distance, where: distance * distance .> reach)
  }

  /// Whether it can be that of a tablet whose gravity is along an axis that is dead.
  private func isAlongDeadAxis(_ reading: Acceleration<SensorFrame>) -> Bool {
    // NaN is not less than anything.
    reading.magnitudeSquared.squareRoot() < Double(GravityLength.possible.lowerBound) * standardGravity
      && hasDeadAxis
  }

  /// Whether one axis has never moved, although the others have.
  private var hasDeadAxis: Bool {
    var (still, moved) = (0, 0)
    for axis in 0..<3 {
      if reach[axis] == 0 { still += 1 }
      if reach[axis] >= Self.movement * Self.movement { moved += 1 }
    }
    return still == 1 && moved == 2
  }

  private static func isSame(
    _ reading: Acceleration<SensorFrame>, as constant: Acceleration<SensorFrame>
  ) -> Bool {
    let largest = max(abs(constant.x), abs(constant.y), abs(constant.z))
    let tolerance = max(Rest.leastTolerance * standardGravity, Self.variation * largest)
    // Written so that a value that is not a number equals all others.
    return
      !(abs(reading.x - constant.x) > tolerance || abs(reading.y - constant.y) > tolerance
      || abs(reading.z - constant.z) > tolerance)
  }
}
