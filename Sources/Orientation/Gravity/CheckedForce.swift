// SPDX-License-Identifier: Apache-2.0

/// The force of a sample, checked and clipped, in units of standard gravity.
struct CheckedForce {
  /// The force, no longer than ``longest``.
  let force: Force
  /// Its length.
  let magnitude: Float
  /// The force, no longer than ``longestInMean``.
  let forceInMean: Force

  /// The magnitudes of gravity combined with the motion of a hand.
  ///
  /// Below, the tablet falls: drag and spin make it read a part of gravity, less than half, and noise must not raise that
  /// above the limit. Above, the tablet was knocked. Of the samples of walking with a phone in the hand, 99.997 % are
  /// inside (eleven recordings of the Inria benchmark of attitude estimation with smartphones, Michel et al. 2017).
  static let credible: ClosedRange<Float> = 0.6...1.5

  /// The longest force that enters the filters.
  ///
  /// A knock of 16 g counts no more than a push of 3 g, so its direction is forgotten within a tenth of a second.
  private static let longest: Float = 3

  /// The longest force that enters a long mean.
  ///
  /// In a long mean, pushes in opposite directions cancel out, unless only those in one direction are clipped. 3 g would clip
  /// those of a hand that waves quickly, and the mean would be wrong; 8 g is the range of many chips.
  static let longestInMean: Float = 8

  /// A length that no sensor can read: the widest range of such a chip is 400 g (ST's H3LIS331DL).
  private static let impossible: Float = 1000

  /// Checks a reading of the accelerometer; nil if it is not a number, which broken drivers deliver sometimes.
  @inline(__always)
  init?(_ force: Force) {
    let length = force.length
    // The condition is false for NaN too.
    guard length < Self.impossible else { return nil }
    if length <= Self.longest {
      magnitude = length
      self.force = force
      forceInMean = force
    } else {
      magnitude = Self.longest
      self.force = force * (Self.longest / length)
      forceInMean = force * smaller(Self.longestInMean / length, 1)
    }
  }
}

extension Acceleration {
  /// Whether it can be gravity in the readings of a sensor, perhaps of one whose scale is wrong.
  package var mayBeGravity: Bool {
    let force = Force(Float(x), Float(y), Float(z), 0) / Float(standardGravity)
    // NaN is in no range.
    return CheckedForce.credible.contains(force.length)
      || (GravityLength.possible.contains(force.length) && !force.isRailed)
  }
}
