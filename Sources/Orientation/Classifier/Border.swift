// SPDX-License-Identifier: Apache-2.0

/// The border between two orientations, with a band of hysteresis along it.
///
/// The border is the plane midway between their axes, for components that are weighed (``OrientationAxis``). Gravity must
/// have turned past it by the hysteresis angle, measured about the axis that both orientations share. For two upright
/// orientations, this angle is the roll of the tablet in the plane of its screen, so the band in degrees is the same at every
/// elevation of the screen; for an upright and a flat one, it is the elevation of the weighed gravity, which near that border
/// changes by 1.4 degrees if the screen rises by one.
struct Border {
  private let sineOfHysteresis: Float

  /// From which excess on the border has been crossed clearly: 6 degrees past the band.
  ///
  /// With a very wide band, it is half of what a turn by 90 degrees reaches.
  let clearExcess: Float

  /// Creates a border.
  init(hysteresis: Angle) {
    sineOfHysteresis = Float(hysteresis.sine)
    clearExcess = smaller(0.11, (Float(0.5).squareRoot() - sineOfHysteresis) / 2)
  }

  /// How far gravity is past the border and its band, as a difference of sines; negative before them.
  ///
  /// It is the sine of the angle past the border minus that of the hysteresis. So an angle is the same evidence at every
  /// elevation of the screen: on the lap as well as upright.
  ///
  /// - Parameters:
  ///   - rival: the component of gravity along the other orientation's axis.
  ///   - present: the component along the present orientation's axis.
  /// - Returns: the excess; not a number if both are zero.
  @inline(__always)
  func excess(of rival: Float, over present: Float) -> Float {
    (rival - present) * Float(0.5).squareRoot() / Self.both(rival, present) - sineOfHysteresis
  }

  /// How much of gravity both components are together.
  @inline(__always)
  private static func both(_ rival: Float, _ present: Float) -> Float {
    (rival * rival + present * present).squareRoot()
  }

  /// Whether gravity is before the border and its band, and stays there whenever it changes by no more than `reach`.
  ///
  /// - Parameters:
  ///   - rival: the component of gravity along the other orientation's axis.
  ///   - present: the component along the present orientation's axis.
  ///   - reach: how much gravity may change, in units of standard gravity.
  /// - Returns: whether it is that far away.
  func isFar(_ rival: Float, from present: Float, reach: Float) -> Bool {
    // The excess times both is a distance; its first term changes by the reach at most, its second one by that times the sine.
    excess(of: rival, over: present) * Self.both(rival, present) < -(1 + sineOfHysteresis) * reach
  }
}
