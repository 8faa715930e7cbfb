// SPDX-License-Identifier: Apache-2.0

/// What a sample says, in units of standard gravity.
struct CheckedForce {
  /// The force, no longer than ``longest``.
  let force: Force
  /// Its length.
  let magnitude: Float

  /// The magnitudes that gravity and the motion of a hand can have.
  ///
  /// Below, the tablet falls: the rest of gravity that drag and spin leave it stays under half of it, and noise must not
  /// carry it over. Above, it was knocked. Of the samples of walking with a phone in the hand, 99.997 % lie
  /// inside (eleven recordings of the Inria benchmark of attitude estimation with smartphones, Michel et al. 2017).
  fileprivate static let credible: ClosedRange<Float> = 0.6...1.5

  /// The longest force that enters the filters: a knock of 16 g counts no more than a push of 3 g, so that its
  /// direction is forgotten within a tenth of a second.
  private static let longest: Float = 3

  /// A length that no sensor reads: the widest range of a chip of this kind is 400 g (ST's H3LIS331DL).
  private static let impossible: Float = 1000

  /// Whether the sample can be evidence of where gravity is.
  @inline(__always)
  var isCredible: Bool { Self.credible.contains(magnitude) }

  /// Takes over what the accelerometer read; nil where it is no number, as broken drivers deliver now and then.
  @inline(__always)
  init?(_ force: Force) {
    let length = force.length
    // False for a NaN too.
    guard length < Self.impossible else { return nil }
    magnitude = smaller(length, Self.longest)
    self.force = length > Self.longest ? force * (Self.longest / length) : force
  }
}

extension Acceleration {
  /// Whether this is as long as gravity can be in a hand: what is neither a fall nor a knock, and a number.
  public var mayBeGravity: Bool {
    // What is no number lies in no range.
    CheckedForce.credible.contains(Float(magnitudeSquared.squareRoot() / standardGravity))
  }
}
