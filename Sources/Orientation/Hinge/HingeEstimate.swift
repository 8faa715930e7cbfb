// SPDX-License-Identifier: Apache-2.0

// The angle of a convertible's hinge, from the gravity in the display and in the base. Both accelerometers see the same gravity, so
// the angle between its directions, about the hinge's axis, is the angle of the hinge. Gravity along the axis says nothing: held
// upright like a book, a laptop and a tablet look the same.

/// What two accelerometers say of the hinge between them.
package enum HingeEstimate: Equatable, Sendable, BitwiseCopyable {
  /// By how much the hinge is open beyond 180 degrees (which is flat): the sine and the cosine of that angle, times any number.
  case open(sine: Double, cosine: Double)
  /// It is closed or folded back, which look the same.
  case closedOrFoldedBack
  /// The hinge's axis stands upright: the angle cannot be known.
  case axisUpright
  /// The axis stands almost upright: what was known before holds.
  case axisAlmostUpright
  /// The readings contradict each other, or are not those of gravity alone: the machine moves, or a sensor or a mount matrix is wrong.
  case contradiction

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
  /// The tangent of 30 degrees, within which folded back and closed are too much alike.
  ///
  /// Offsets of 0.1 g in both chips are errors of more than 20 degrees.
  private static let foldTangent = 0.577350
  /// The part of gravity into the screen from which on it faces down: 30 degrees.
  private static let facesDown = -0.5

  /// Compares the gravity of display and base.
  ///
  /// Closed (0 degrees) and folded back (360) differ in nothing that gravity shows. But the screen of a closed laptop that lies on a
  /// table faces down; one that does not is folded back.
  ///
  /// - Parameters:
  ///   - display: the gravity in the display.
  ///   - base: the gravity in the base. Its axes are those of the display when the hinge is open by 180 degrees, so that both lie in
  ///     one plane.
  ///   - laptop: the orientation of the device whose bottom edge has the hinge.
  package init(
    display: Acceleration<ScreenFrame>, base: Acceleration<ScreenFrame>, laptop: NaturalOrientation
  ) {
    let display = HingeForce(display, laptop: laptop)
    let base = HingeForce(base, laptop: laptop)
    guard Self.credible.contains(display.magnitudeSquared), Self.credible.contains(base.magnitudeSquared),
      abs(display.partAlongAxis - base.partAlongAxis) <= Self.tolerance
    else {
      self = .contradiction
      return
    }
    let part = max(abs(display.partAlongAxis), abs(base.partAlongAxis))
    guard part < Self.known else {
      self = part > Self.upright ? .axisUpright : .axisAlmostUpright
      return
    }
    let sine = base.up * display.out - base.out * display.up
    let cosine = base.up * display.up + base.out * display.out
    guard cosine < 0, abs(sine) <= -cosine * Self.foldTangent else {
      self = .open(sine: sine, cosine: cosine)
      return
    }
    let facesDown = display.out < display.magnitudeSquared.squareRoot() * Self.facesDown
    self = facesDown ? .closedOrFoldedBack : .open(sine: abs(sine), cosine: cosine)
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

  init(_ force: Acceleration<ScreenFrame>, laptop: NaturalOrientation) {
    switch laptop {
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
