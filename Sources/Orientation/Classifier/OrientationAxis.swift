// SPDX-License-Identifier: Apache-2.0

// Flat means nearly flat. People hold a tablet on the lap with its screen raised by 34 degrees above the table, and
// recommended are 20 to 50 (a study of postures with tablets: Work 2014, 47:207). They expect the screen to turn there. If the
// nearest axis decided, everything below 45 degrees would lie flat. So z counts less than x and y (`faceWeight`), and with it
// all that follows: which orientation is the nearest, the borders and their bands. Of the sphere of all directions of gravity, the
// faces get two caps, and the four upright orientations the wide belt in between.

/// The axis of the screen that belongs to an orientation: gravity lies along it when the device is held exactly so.
///
/// All components are weighed: gravity along z counts ``faceWeight`` of its length.
struct OrientationAxis {
  /// How much z counts beside x and y: the tangent of the rise, 22 degrees, below which a screen lies flat.
  ///
  /// With a band of 7 degrees about that border, a tablet that is laid down is flat below a rise of 17.5 degrees, and one that
  /// is picked up or turned is upright above 27.3. With a border at 25 degrees, that would be 30.8: too late for a screen on a
  /// book stand or a low lap, at 30.
  static let faceWeight: Float = 0.404

  /// What each axis of the screen counts.
  private static let weights = Force(1, 1, faceWeight, 0)

  /// The orientation.
  let orientation: DeviceOrientation
  /// The axis, of length one; zero for unknown.
  let direction: Force
  /// The axis, with the length that it counts.
  private let weighed: Force
  /// What the two axes of the screen at right angles to it count; zero along it.
  private let across: Force

  init(_ orientation: DeviceOrientation) {
    self.orientation = orientation
    let up = orientation.up ?? .zero
    direction = Force(Float(up.x), Float(up.y), Float(up.z), 0)
    weighed = direction * Self.weights
    across = Self.weights - weighed * direction
  }

  /// How much a component along the axis counts.
  var weight: Float { weighed.length }

  /// The component of a force along the axis.
  @inline(__always)
  func component(of force: Force) -> Float {
    (force * weighed).total
  }

  /// The largest component of a force along the axis of any other orientation.
  ///
  /// - Parameters:
  ///   - force: the force.
  ///   - own: its component along this axis; that of the opposite orientation is the negative.
  /// - Returns: the component.
  @inline(__always)
  func strongestRivalComponent(of force: Force, own: Float) -> Float {
    let sides = force * across
    return larger(larger(abs(sides.x), abs(sides.y)), larger(abs(sides.z), -own))
  }

  /// The axis of the other orientation along which a force has its largest component.
  func strongestRival(of force: Force) -> OrientationAxis {
    var strongest = OrientationAxis(.unknown)
    var most = -Float.infinity
    for orientation in DeviceOrientation.allCases where orientation != self.orientation {
      let rival = OrientationAxis(orientation)
      let component = rival.component(of: force)
      guard component > most, orientation != .unknown else { continue }
      strongest = rival
      most = component
    }
    return strongest
  }
}
