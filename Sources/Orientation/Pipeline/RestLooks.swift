// SPDX-License-Identifier: Apache-2.0

/// When the sensor of a tablet at rest is read next, if it does not report changes itself.
///
/// Each read is a look: while nothing moves, the daemon does nothing else. A tablet in a hand or a stand is turned by one movement, so
/// it is looked at often. A tablet that lies flat must first be picked up: nothing turns until its screen has risen by some 25
/// degrees, which takes about as long as it takes a late look to come. A hand that holds a tablet flat can be calm enough for a rest. So
/// only a tablet whose readings stay as close together as on a table counts as lying.
package struct RestLooks: Sendable, BitwiseCopyable {
  /// How often a tablet that lies flat is looked at, in seconds.
  ///
  /// Simulated (`LyingTabletTests`): of 100 that are picked up, 95 turn the screen at most 0.4 s later than at the full rate.
  package static let lyingPeriod = 0.7

  /// How long the readings must have been close together, in seconds, after the second of stillness before any rest.
  private static let probation = 3.0
  /// How far apart they may be on an axis, m/s^2: one step of a chip with 8 bits at 2 g.
  ///
  /// Good chips have 1 to 3 mg of noise. Hands tremble with 5 mg and more (Elble and Koller 1990) and sway by a degree, 17 mg, and
  /// more.
  private static let largestSpread = Rest.leastTolerance
  /// From when on another tablet is looked at half as often, in seconds.
  private static let shortRest = 30.0
  /// From when on any tablet is looked at once a second, in seconds.
  private static let longRest = 300.0

  private let pace: RestPace
  private let isLevel: Bool
  private let start: BootTime
  /// Since when the readings have been close together, and the smallest and largest of them.
  private var steadySince: BootTime
  private var least = SIMD3<Double>(repeating: .infinity)
  private var most = SIMD3<Double>(repeating: -.infinity)

  /// Begins with the rest.
  package init(at rest: Rest, since start: BootTime) {
    pace = rest.pace
    isLevel = rest.isLevel
    self.start = start
    steadySince = start
  }

  /// Takes note of a reading that was within the rest's tolerance.
  package mutating func found(_ reading: Acceleration<SensorFrame>, at time: BootTime) {
    least = pointwiseMin(least, reading.vector)
    most = pointwiseMax(most, reading.vector)
    guard (most - least).max() > Self.largestSpread else { return }
    (least, most, steadySince) = (reading.vector, reading.vector, time)
  }

  /// How long to wait for the next look, in seconds.
  ///
  /// - Parameter now: the present time.
  /// - Returns: ``RestDetector/restPeriod`` in the first half minute, twice that until the fifth minute, and then a second; for a
  ///   tablet that lies flat, ``lyingPeriod`` until the fifth minute.
  package func pause(at now: BootTime) -> Double {
    guard pace == .slowing else { return RestDetector.restPeriod }
    let rested = now.seconds(since: start)
    if rested >= Self.longRest { return 1 }
    if isLevel, now.seconds(since: steadySince) >= Self.probation { return Self.lyingPeriod }
    return rested < Self.shortRest ? RestDetector.restPeriod : 2 * RestDetector.restPeriod
  }
}
