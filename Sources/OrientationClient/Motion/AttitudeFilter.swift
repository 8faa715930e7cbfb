// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// Finds the attitude of the device: a complementary filter.
///
/// A gyroscope follows every turn, but its error grows with time. The direction of gravity has no such error, but every movement of the
/// hand disturbs it. So the attitude is turned with the gyroscope, and slowly corrected towards gravity (R. Mahony, T. Hamel and
/// J.-M. Pflimlin, Nonlinear Complementary Filters on the Special Orthogonal Group, IEEE Transactions on Automatic Control 53, 2008,
/// here without an estimate of the gyroscope's bias).
///
/// Gravity says nothing about the heading. So no correction turns the attitude about the vertical, the first heading is any, and the
/// heading drifts with the gyroscope.
///
/// Without a gyroscope, the attitude follows gravity quickly, and only its tilt means something.
package struct AttitudeFilter: Sendable {
  /// The time after which two thirds of an error have been corrected, in seconds.
  ///
  /// It is longer than a movement of the hand. A bias of the gyroscope of 0.5 degrees a second, which is large, is an error of the tilt of
  /// 0.5 degrees with it.
  package static let timeConstant = 1.0
  /// The same without a gyroscope: that of the daemon's stream of gravity.
  package static let timeConstantWithoutGyroscope = 0.12
  /// How long the length of gravity is averaged, in seconds: the scale of a chip can be wrong by some percent.
  static let lengthTimeConstant = 5.0
  /// The lengths that are averaged, in m/s^2: those that the daemon, too, takes for gravity.
  static let credibleLengths = 0.6 * standardGravity...1.5 * standardGravity
  /// Below this, a force has no direction, in m/s^2.
  static let weakestForce = 0.1 * standardGravity
  /// A force whose length differs by this fraction from that of gravity counts half.
  static let disturbance = 0.1
  /// After a longer gap between readings, in seconds, the tilt is taken from the next force.
  static let longestGap = 1.0
  /// A gyroscope that reads more is ignored, in rad/s: sensors of tablets end at 35.
  static let fastestTurn = 100.0

  /// How the device is turned: this rotation turns a vector along the screen's axes to the axes of a room whose z points up; nil before the
  /// first force.
  package private(set) var attitude: Quaternion?
  /// The length of gravity as the chip reads it, m/s^2: the mean of the force along the vertical, in which the movements of a hand cancel.
  private var length = standardGravity
  private var turned: (time: BootTime, rate: SIMD3<Double>)?
  /// When the tilt was last corrected; nil if it is to be taken from the next force.
  private var corrected: BootTime?

  /// Creates a filter that knows nothing.
  package init() {}

  /// The force that holds the device up, m/s^2: gravity as a sensor at rest reads it; nil before the first force.
  package var gravity: Acceleration<ScreenFrame>? {
    guard let up = attitude?.inverse.rotating(SIMD3(0, 0, length)) else { return nil }
    return Acceleration(x: up.x, y: up.y, z: up.z)
  }

  /// Takes the tilt from the next force; the heading stays as it is.
  package mutating func forgetTilt() {
    corrected = nil
    turned = nil
  }

  /// Turns the attitude by a reading of the gyroscope.
  ///
  /// - Parameters:
  ///   - rate: the reading; between two, it is taken to change evenly.
  ///   - time: when it was read.
  package mutating func turn(by rate: AngularVelocity<ScreenFrame>, at time: BootTime) {
    let rate = rate.vector
    // NaN is not less.
    guard rate.length < Self.fastestTurn else { return }
    defer { self.turned = (time, rate) }
    guard let attitude, let turned, time != turned.time else { return }
    guard let elapsed = Self.step(from: turned.time, to: time) else {
      self.corrected = nil
      return
    }
    self.attitude = attitude * Quaternion(rotation: (turned.rate + rate) * (elapsed / 2))
  }

  /// Corrects the tilt by a reading of the accelerometer.
  ///
  /// - Parameters:
  ///   - force: the reading.
  ///   - time: when it was read.
  package mutating func correct(by force: Acceleration<ScreenFrame>, at time: BootTime) {
    let force = force.vector
    let strength = force.length
    guard strength > Self.weakestForce, strength < .infinity, time != self.corrected else { return }
    defer { self.corrected = time }
    let before = attitude ?? .identity
    // Where the force points to in the room; it should be up.
    let direction = before.rotating(force / strength)
    guard attitude != nil, let corrected, let elapsed = Self.step(from: corrected, to: time) else {
      attitude = Quaternion(from: direction, to: Self.up) * before
      return
    }
    let timeConstant = isTurned(at: time) ? Self.timeConstant : Self.timeConstantWithoutGyroscope
    let weight = trust(in: strength) * elapsed / (timeConstant + elapsed)
    let wanted = direction + weight * (Self.up - direction)
    let size = wanted.length
    // Opposite directions: any noise ends that.
    if size > 1e-6 { attitude = Quaternion(from: direction, to: wanted / size) * before }
    let vertical = strength * direction.z
    let credible = min(
      max(vertical, Self.credibleLengths.lowerBound), Self.credibleLengths.upperBound)
    length += elapsed / (Self.lengthTimeConstant + elapsed) * (credible - length)
  }

  /// Up, along the axes of the room.
  private static var up: SIMD3<Double> { SIMD3(0, 0, 1) }

  /// The time of a step in seconds; nil if time went back, or after a gap.
  private static func step(from earlier: BootTime, to later: BootTime) -> Double? {
    let elapsed = later.seconds(since: earlier)
    return elapsed > 0 && elapsed <= longestGap ? elapsed : nil
  }

  /// Whether the gyroscope delivers.
  private func isTurned(at time: BootTime) -> Bool {
    guard let turned else { return false }
    return abs(time.seconds(since: turned.time)) <= Self.longestGap
  }

  /// How much a force counts as gravity: 1 if it is as long, less if the device is being accelerated.
  ///
  /// It is never 0, so a wrong scale of the chip only delays corrections.
  private func trust(in strength: Double) -> Double {
    let difference = (strength / length - 1) / Self.disturbance
    return 1 / (1 + difference * difference)
  }
}
