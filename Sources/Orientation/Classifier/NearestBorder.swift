// SPDX-License-Identifier: Apache-2.0

/// The border to another orientation that gravity is nearest to, by the classifier's own borders; for people who watch it.
///
/// The classifier also weighs for how long gravity has been past the border, so its decision comes later.
public struct NearestBorder: Equatable, Sendable {
  /// The orientation on the other side.
  public let rival: DeviceOrientation

  /// The sine of the angle of gravity past the plane midway between both orientations; negative before it.
  ///
  /// The angle is measured about the axis that both share, as in ``PipelineSettings/hysteresis``.
  public let sinePastMiddle: Double

  /// Whether gravity is past the border and its band of hysteresis.
  public let isCrossed: Bool

  /// Finds the border; nil if the present orientation is unknown, or there is no gravity.
  ///
  /// - Parameters:
  ///   - present: the orientation on this side.
  ///   - gravity: the filtered acceleration.
  ///   - hysteresis: how far past the border gravity must turn.
  public init?(of present: DeviceOrientation, gravity: Acceleration<ScreenFrame>, hysteresis: Angle) {
    guard present != .unknown, gravity.isFinite, gravity.magnitudeSquared > 0 else { return nil }
    let force = Force(gravity)
    let axis = OrientationAxis(present)
    let other = axis.strongestRival(of: force)
    let (rival, own) = (other.component(of: force), axis.component(of: force))
    let border = Border(hysteresis: hysteresis)
    self.rival = other.orientation
    isCrossed = border.excess(of: rival, over: own) > 0
    sinePastMiddle = Double((rival - own) / (2 * (rival * rival + own * own)).squareRoot())
  }
}
