// SPDX-License-Identifier: Apache-2.0

/// The border to another orientation that gravity is nearest to, by the classifier's own borders; for people who watch it.
///
/// The classifier also weighs for how long gravity has been past the border, so its decision comes later.
package struct NearestBorder: Equatable, Sendable {
  /// How much z counts beside x and y where a border is looked for: the tangent of the rise below which a screen lies flat.
  package static let faceWeight = Double(OrientationAxis.faceWeight)

  /// The orientation on the other side.
  package let rival: DeviceOrientation

  /// The sine of the angle of gravity past the border without its band; negative before it.
  ///
  /// The angle is measured as that of ``PipelineSettings/hysteresis``.
  package let sinePastMiddle: Double

  /// Gravity's components along the rival's (x) and the present orientation's axis (y), m/s^2: the tablet has turned from
  /// this one by the angle whose tangent is x / y, unless the two are opposite.
  ///
  /// They are vectors because this module has no arc tangent.
  package let turned: SIMD2<Double>

  /// The direction that ``turned`` has where the border with its band is crossed; its length means nothing.
  package let crossing: SIMD2<Double>

  /// Whether gravity is past the border and its band of hysteresis.
  package let isCrossed: Bool

  /// Finds the border; nil if an orientation is unknown, if there is none on the other side, or if there is no gravity.
  ///
  /// - Parameters:
  ///   - present: the orientation on this side.
  ///   - rival: the orientation on the other side; nil for the one whose border is the nearest.
  ///   - gravity: the filtered acceleration.
  ///   - hysteresis: how far past the border gravity must turn.
  package init?(
    of present: DeviceOrientation, towards rival: DeviceOrientation? = nil,
    gravity: Acceleration<ScreenFrame>,
    hysteresis: Angle
  ) {
    guard present != .unknown, rival != .unknown, rival != present, gravity.isFinite,
      gravity.magnitudeSquared > 0
    else { return nil }
    let force = Force(gravity)
    let axis = OrientationAxis(present)
    let other = rival.map(OrientationAxis.init) ?? axis.strongestRival(of: force)
    let (rival, own) = (other.component(of: force), axis.component(of: force))
    self.rival = other.orientation
    isCrossed = Border(hysteresis: hysteresis).excess(of: rival, over: own) > 0
    let middle = Border(hysteresis: Angle(degrees: 0))
    sinePastMiddle = Double(middle.excess(of: rival, over: own))
    let weights = SIMD2(Double(other.weight), Double(axis.weight))
    turned = SIMD2(Double(rival), Double(own)) / weights * standardGravity
    // The weighed components have this direction there.
    let beyond = Angle(degrees: 45 + hysteresis.degrees), before = Angle(degrees: 45 - hysteresis.degrees)
    crossing = SIMD2(beyond.sine, before.sine) / weights
  }
}
