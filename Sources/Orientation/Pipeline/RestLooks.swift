// SPDX-License-Identifier: Apache-2.0

/// When the sensor of a tablet at rest is read next, if it does not report changes itself.
///
/// Each read is a look: while nothing moves, the daemon does nothing else. A tablet in a hand or a stand is turned by one movement, so
/// it is looked at often. A tablet that lies flat must first be picked up: nothing turns until its screen has risen by some 25
/// degrees, which takes about as long as it takes a late look to come. A hand that holds a tablet flat can be calm enough for a rest. So
/// only a tablet whose readings are as on a table counts as lying; then it does until the rest is over, however its chip drifts.
///
/// Good chips have 1 to 3 mg of noise. Hands tremble with 5 mg and more (Elble and Koller 1990). A chip with as much noise is told from
/// a hand because its readings are independent of each other: a hand also sways by a degree, 17 mg, and more, which takes it several
/// looks.
package struct RestLooks: Sendable, BitwiseCopyable {
  /// How often a tablet that lies flat is looked at, in seconds.
  ///
  /// Simulated (`LyingTabletTests`): of 100 that are picked up, 95 turn the screen at most 0.4 s later than at the full rate.
  package static let lyingPeriod = 0.7

  /// After how many looks a tablet with a good chip can count as lying, and one with a chip that hisses: 3 and 15 s.
  private static let (fewLooks, manyLooks) = (16.0, 80.0)
  /// The largest variance of a good chip's readings, on two axes together, as a part of gravity's square: 4 mg on each.
  private static let goodVariance = 32e-6
  /// The same of a chip that hisses: 11 mg on each.
  ///
  /// A hand that trembles more could hide its sway.
  private static let largestVariance = 242e-6
  /// How much of that may be common to each reading and the next, or the next but one: 2.5 deviations of what noise shows in so many
  /// looks.
  ///
  /// Of 10,000 simulated hands, none stayed below it.
  private static let largestShare = 0.2
  /// From when on another tablet is looked at half as often, in seconds.
  private static let shortRest = 30.0
  /// From when on any tablet is looked at once a second, in seconds.
  private static let longRest = 300.0

  private let rest: Rest
  private let start: BootTime
  private var isLying = false
  // Sums over the readings since the last decision, as offsets from the rest's; products with the reading before, and the one before
  // that.
  private var count = 0.0
  private var last = (SIMD3<Double>(), SIMD3<Double>())
  private var sum = SIMD3<Double>()
  private var squares = 0.0
  private var products = (0.0, 0.0)

  /// Begins with the rest.
  package init(at rest: Rest, since start: BootTime) {
    self.rest = rest
    self.start = start
  }

  /// Takes note of a reading that was within the rest's tolerance.
  package mutating func found(_ reading: Acceleration<SensorFrame>) {
    guard rest.isLevel, !isLying else { return }
    // The axis with the most of gravity is not read at each look: see `Rest`.
    let heaviness = rest.acceleration.vector * rest.acceleration.vector
    let offset = (reading.vector - rest.acceleration.vector).replacing(
      with: 0, where: heaviness .== heaviness.max())
    count += 1
    sum += offset
    squares += (offset * offset).sum()
    products.0 += (offset * last.0).sum()
    products.1 += (offset * last.1).sum()
    last = (offset, last.0)
    let squaredMean = (sum * sum).sum() / (count * count)
    let variance = squares / count - squaredMean
    let squaredGravity = rest.acceleration.magnitudeSquared
    if count == Self.fewLooks { isLying = variance <= Self.goodVariance * squaredGravity }
    guard count == Self.manyLooks else { return }
    let shared = max(abs(products.0 / count - squaredMean), abs(products.1 / count - squaredMean))
    isLying = variance <= Self.largestVariance * squaredGravity && shared <= Self.largestShare * variance
    (count, sum, squares, products) = (0, SIMD3(), 0, (0, 0))
  }

  /// How long to wait for the next look, in seconds.
  ///
  /// - Parameter now: the present time.
  /// - Returns: ``RestDetector/restPeriod`` in the first half minute, twice that until the fifth minute, and then a second; for a
  ///   tablet that lies flat, ``lyingPeriod`` until the fifth minute.
  package func pause(at now: BootTime) -> Double {
    guard rest.pace == .slowing else { return RestDetector.restPeriod }
    let rested = now.seconds(since: start)
    if rested >= Self.longRest { return 1 }
    if isLying { return Self.lyingPeriod }
    return rested < Self.shortRest ? RestDetector.restPeriod : 2 * RestDetector.restPeriod
  }
}
