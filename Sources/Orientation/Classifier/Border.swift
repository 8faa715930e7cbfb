// SPDX-License-Identifier: Apache-2.0

/// The border between two orientations, with a band of hysteresis along it.
///
/// The border is the plane midway between their axes. Gravity must have turned past it by the hysteresis angle, measured
/// about the axis that both orientations share. For two upright orientations that is the roll of the tablet in the plane
/// of its screen, so the band in degrees is the same at every screen elevation; for an upright and a flat one it is the
/// elevation itself.
struct Border {
  private let sineOfHysteresis: Float

  /// Creates a border.
  init(hysteresis: Angle) {
    sineOfHysteresis = Float(hysteresis.sine)
  }

  /// How much the excess grows at most when gravity moves by one.
  var steepness: Float { 1 + sineOfHysteresis }

  /// How far gravity lies past the border and its band, in units of standard gravity; negative on the near side.
  ///
  /// The sine of the angle past the border is (rival - present) / sqrt(2 (rival^2 + present^2)); both terms here are that
  /// comparison times the length of the two components, so that a roll counts the less the less of gravity shows it.
  ///
  /// - Parameters:
  ///   - rival: the component of gravity along the other orientation's axis.
  ///   - present: the component along the present one's.
  /// - Returns: the excess.
  @inline(__always)
  func excess(of rival: Float, over present: Float) -> Float {
    let across = (rival - present) * Float(0.5).squareRoot()
    return across - sineOfHysteresis * (rival * rival + present * present).squareRoot()
  }
}
