// SPDX-License-Identifier: Apache-2.0

// The angle of a convertible's hinge, from the gravity in the display and in the base. Both accelerometers see the same gravity, so
// the angle between its directions, about the hinge's axis, is the angle of the hinge. Gravity along the axis says nothing: held
// upright like a book, a laptop and a tablet look the same.

/// What two accelerometers say of the hinge between them.
public enum HingeEstimate: Equatable, Sendable, BitwiseCopyable {
  /// By how much the hinge is open beyond 180 degrees (which is flat): the sine and the cosine of that angle, times any number.
  case open(sine: Double, cosine: Double)
  /// The hinge's axis stands upright: the angle cannot be known.
  case axisUpright

  /// The part of gravity along the axis from which on the angle counts as unknown: the axis is 16 degrees from upright.
  ///
  /// An offset of 0.1 g, usual for such chips, would be an error of 20 degrees.
  private static let upright = 0.96
  /// The part below which the angle is known again: 26 degrees from upright.
  private static let known = 0.90
  /// How much the two parts along the axis, which the sensors share, may differ: more means movement, or a wrong mount matrix.
  private static let tolerance = 0.25
  /// What can be gravity, as for the classifier: less is a fall, more is a knock.
  ///
  /// As a square, (m/s^2)^2.
  private static let credible =
    0.6 * 0.6 * standardGravity * standardGravity...1.5 * 1.5 * standardGravity * standardGravity
  /// The tangent of 20 degrees, within which folded back and closed are too much alike.
  private static let foldTangent = 0.363970
  /// The part of gravity out of the screen from which on it faces up: 30 degrees.
  private static let facesUp = 0.5

  /// Compares the gravity of display and base; nil if the readings contradict each other, or are not those of gravity alone.
  ///
  /// Closed (0 degrees) and folded back (360) differ in nothing that gravity shows. If the screen faces up, it is folded back, as
  /// the screen of a closed laptop is not to be seen; otherwise there is no estimate.
  ///
  /// - Parameters:
  ///   - display: the gravity in the display.
  ///   - base: the gravity in the base. Its axes are those of the display when the hinge is open by 180 degrees, so that both lie in
  ///     one plane.
  ///   - natural: the orientation of the device whose bottom edge has the hinge: that in which the panel is upright.
  public init?(
    display: Acceleration<ScreenFrame>, base: Acceleration<ScreenFrame>, natural: NaturalOrientation
  ) {
    let display = HingeForce(display, natural: natural)
    let base = HingeForce(base, natural: natural)
    guard Self.credible.contains(display.magnitudeSquared), Self.credible.contains(base.magnitudeSquared)
    else { return nil }
    let (displayPart, basePart) = (display.partAlongAxis, base.partAlongAxis)
    guard abs(displayPart - basePart) <= Self.tolerance else { return nil }
    let part = max(abs(displayPart), abs(basePart))
    if part > Self.upright {
      self = .axisUpright
      return
    }
    guard part < Self.known else { return nil }
    let sine = base.up * display.out - base.out * display.up
    let cosine = base.up * display.up + base.out * display.out
    let isFolded = cosine < 0 && abs(sine) <= -cosine * Self.foldTangent
    let facesUp = display.out > display.magnitudeSquared.squareRoot() * Self.facesUp
    guard !isFolded || facesUp else { return nil }
    self = .open(sine: isFolded ? abs(sine) : sine, cosine: cosine)
  }
}

/// A force in the axes of the laptop's display.
private struct HingeForce {
  /// Along the hinge.
  let along: Double
  /// From the hinge to the display's other edge.
  let up: Double
  /// Out of the screen.
  let out: Double

  init(_ force: Acceleration<ScreenFrame>, natural: NaturalOrientation) {
    switch natural {
    case .portrait: (along, up) = (force.x, force.y)
    case .portraitUpsideDown: (along, up) = (-force.x, -force.y)
    case .landscapeLeft: (along, up) = (-force.y, force.x)
    case .landscapeRight: (along, up) = (force.y, -force.x)
    }
    out = force.z
  }

  var magnitudeSquared: Double { along * along + up * up + out * out }
  var partAlongAxis: Double { along / magnitudeSquared.squareRoot() }
}
