// SPDX-License-Identifier: Apache-2.0

/// The position of a tablet that lies still: what its sensor reads there, and how much other readings may differ while
/// nothing moves.
///
/// When a tablet turns, gravity moves across the chip's axes. The axis with the most of gravity changes least, and only to
/// the second order if all of gravity is along it. So the other two axes show a turn, and if reads are expensive, only
/// these two need be read. They show at least 1/sqrt(3) of any change of gravity's direction, because the heaviest axis has
/// at least 1/sqrt(3) of gravity.
///
/// Each read must include both. If they alternated, half of the quarter turns in the screen's plane would be noticed one
/// read late (simulated: 53 % within 0.2 s; with both, all are), and a wakeup costs nearly as much
/// (``RestDetector/restPeriod``).
package struct Rest: Equatable, Sendable, BitwiseCopyable {
  /// The average reading, m/s^2.
  package let acceleration: Acceleration<SensorFrame>
  /// How far a reading may be from it on each axis, m/s^2.
  package let tolerance: Double
  /// How often the sensor is read meanwhile.
  package let pace: RestPace
  /// Whether the screen must rise much before it can turn: see ``OrientationPipeline/isLevel``.
  package let isLevel: Bool

  /// The smallest tolerance, in units of gravity: one step of a chip with 8 bits at 2 g, and ten times the noise of a BMA255.
  package static let leastTolerance = 0.02
  /// The largest tolerance, in units of gravity.
  ///
  /// A sensor with more noise, or a hand that trembles more, is not at rest.
  static let largestTolerance = 0.06

  /// Creates a rest.
  ///
  /// - Parameters:
  ///   - acceleration: the average reading, m/s^2.
  ///   - tolerance: how far a reading may be from it on each axis, m/s^2.
  ///   - pace: how often the sensor is read meanwhile.
  ///   - isLevel: whether the screen must rise much before it can turn.
  package init(
    at acceleration: Acceleration<SensorFrame>, tolerance: Double, pace: RestPace = .slowing,
    isLevel: Bool = false
  ) {
    self.acceleration = acceleration
    self.tolerance = tolerance
    self.pace = pace
    self.isLevel = isLevel
  }

  /// Whether a reading is within the tolerance of the rest.
  package func holds(_ reading: Acceleration<SensorFrame>) -> Bool {
    // The condition is false for a value that is not a number too.
    abs(reading.x - acceleration.x) <= tolerance && abs(reading.y - acceleration.y) <= tolerance
      && abs(reading.z - acceleration.z) <= tolerance
  }

  /// The axis with the most of gravity.
  package var heaviestAxis: Axis {
    let (x, y, z) = (abs(acceleration.x), abs(acceleration.y), abs(acceleration.z))
    return x >= y && x >= z ? .x : y >= z ? .y : .z
  }

  /// How far gravity may have turned while the other two axes stayed within the tolerance, m/s^2: both differ by the
  /// tolerance, and 1/sqrt(3) is seen.
  var reach: Double { tolerance * 6.0.squareRoot() }
}

/// How often the sensor of a tablet at rest is read, if it does not report changes itself.
package enum RestPace: Sendable, BitwiseCopyable {
  /// The less often, the longer the tablet has lain still: one that lies on a table for minutes may answer later.
  case slowing
  /// As often from the beginning to the end.
  case prompt
}
