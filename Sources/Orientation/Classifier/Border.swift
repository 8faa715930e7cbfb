// SPDX-License-Identifier: Apache-2.0

/// The border between two orientations, with a band of hysteresis along it.
///
/// The border is the plane midway between their axes. Gravity must have turned past it by the hysteresis angle, measured
/// about the axis that both orientations share. For two upright orientations, this angle is the roll of the tablet in the
/// plane of its screen, so the band in degrees is the same at every elevation of the screen; for an upright and a flat one,
/// it is the elevation itself.
struct Border {
  private let sineOfHysteresis: Float

  /// From which excess on the border has been crossed clearly, in units of standard gravity.
  ///
  /// It is 7 degrees past the band if all of gravity shows the angle; that of a screen at 45 degrees of elevation, 10. With a
  /// very wide band, it is half of what a turn by 90 degrees reaches.
  let clearExcess: Float

  /// Creates a border.
  init(hysteresis: Angle) {
    sineOfHysteresis = Float(hysteresis.sine)
    clearExcess = smaller(0.12, (Float(0.5).squareRoot() - sineOfHysteresis) / 2)
  }

  /// How much the excess grows at most when gravity changes by one.
  var steepness: Float { 1 + sineOfHysteresis }

  /// How far gravity is past the border and its band, in units of standard gravity; negative before them.
  ///
  /// The sine of the angle past the border is (rival - present) / sqrt(2 (rival^2 + present^2)). Both terms here are that
  /// formula times the length of the two components, so a roll counts less if less of gravity shows it.
  ///
  /// - Parameters:
  ///   - rival: the component of gravity along the other orientation's axis.
  ///   - present: the component along the present orientation's axis.
  /// - Returns: the excess.
  @inline(__always)
  func excess(of rival: Float, over present: Float) -> Float {
    let across = (rival - present) * Float(0.5).squareRoot()
    return across - sineOfHysteresis * (rival * rival + present * present).squareRoot()
  }
}
