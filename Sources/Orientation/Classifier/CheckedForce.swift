// SPDX-License-Identifier: Apache-2.0

/// The force of a sample, checked and clipped, in units of standard gravity.
struct CheckedForce {
  /// The force, no longer than ``longest``.
  let force: Force
  /// The force, no longer than ``longestInMean``.
  let forceInMean: Force
  /// Its length.
  let magnitude: Float

  /// The magnitudes of gravity combined with the motion of a hand.
  ///
  /// Below, the tablet falls: drag and spin make it read a part of gravity, less than half, and noise must not raise that
  /// above the limit. Above, the tablet was knocked. Of the samples of walking with a phone in the hand, 99.997 % are
  /// inside (eleven recordings of the Inria benchmark of attitude estimation with smartphones, Michel et al. 2017).
  fileprivate static let credible: ClosedRange<Float> = 0.6...1.5

  /// The longest force that enters the filters.
  ///
  /// A knock of 16 g counts no more than a push of 3 g, so its direction is forgotten within a tenth of a second.
  private static let longest: Float = 3

  /// The longest force that enters a long mean.
  ///
  /// In a mean, a knock is no more than the speed that it gave, but to clip the knocks of one side only moves the mean: of a
  /// hand that waves quickly, 3 g still do (measured). 8 g is the range of a good chip.
  private static let longestInMean: Float = 8

  /// A length that no sensor can read: the widest range of such a chip is 400 g (ST's H3LIS331DL).
  private static let impossible: Float = 1000

  /// Whether the sample can be evidence of the direction of gravity.
  @inline(__always)
  var isCredible: Bool { Self.credible.contains(magnitude) }

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
  /// Whether the length can be that of gravity in a hand: a number, and neither a fall nor a knock.
  public var mayBeGravity: Bool {
    // NaN is in no range.
    CheckedForce.credible.contains(Float(magnitudeSquared.squareRoot() / standardGravity))
  }
}
