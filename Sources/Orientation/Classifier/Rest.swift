// SPDX-License-Identifier: Apache-2.0

/// Where a tablet lies still: what its sensor reads there, and how much else it may read while nothing moves.
///
/// A tablet that turns moves gravity across the chip's axes. The axis that gravity is most along changes least, only to the
/// second order where it is along it wholly; so the other two tell, and a sensor that is costly to read need be asked for
/// those alone. They see at least 1/sqrt(3) of any change of gravity's direction, as the heaviest axis has at least
/// 1/sqrt(3) of gravity.
///
/// It has to be both at each look. By one of them, in turn, half of the quarter turns in the screen's plane would be noticed one
/// look late (simulated: 53 % within 0.2 s, where both notice all), and a wake-up costs nearly as much (``RestDetector/restPeriod``).
public struct Rest: Equatable, Sendable, BitwiseCopyable {
  /// An axis of the chip.
  public enum Axis: Sendable {
    case x, y, z
  }

  /// What the sensor reads on average, m/s^2.
  public let acceleration: Acceleration<SensorFrame>
  /// How far from it a reading may be on each axis, m/s^2.
  public let tolerance: Double

  /// The least tolerance, m/s^2: 0.02 g, one step of a chip with 8 bits at 2 g, and ten times the noise of a BMA255.
  public static let leastTolerance = 0.02 * standardGravity
  /// The largest, m/s^2: 0.06 g.
  ///
  /// A sensor with more noise than that allows, or a hand that trembles, is not at rest.
  static let largestTolerance = 0.06 * standardGravity

  /// Creates a rest.
  ///
  /// - Parameters:
  ///   - acceleration: what the sensor reads on average, m/s^2.
  ///   - tolerance: how far from it a reading may be on each axis, m/s^2.
  public init(at acceleration: Acceleration<SensorFrame>, tolerance: Double) {
    self.acceleration = acceleration
    self.tolerance = tolerance
  }

  /// Whether a reading shows nothing but rest.
  public func holds(_ reading: Acceleration<SensorFrame>) -> Bool {
    // Written so that what is no number holds as little as what is far away.
    abs(reading.x - acceleration.x) <= tolerance && abs(reading.y - acceleration.y) <= tolerance
      && abs(reading.z - acceleration.z) <= tolerance
  }

  /// The axis that gravity is most along.
  public var heaviestAxis: Axis {
    let (x, y, z) = (abs(acceleration.x), abs(acceleration.y), abs(acceleration.z))
    return x >= y && x >= z ? .x : y >= z ? .y : .z
  }

  /// How far gravity may have turned while the other two axes held, m/s^2: both off by the tolerance, and 1/sqrt(3) seen.
  var reach: Double { tolerance * 6.0.squareRoot() }
}
