// SPDX-License-Identifier: Apache-2.0

/// The axis of the screen that belongs to an orientation: gravity lies along it when the device is held exactly so.
struct OrientationAxis {
  /// The orientation.
  let orientation: DeviceOrientation
  /// The axis, of length one; zero for unknown.
  let direction: Force
  /// One on the two axes of the screen at right angles to it, otherwise zero.
  private let across: Force

  init(_ orientation: DeviceOrientation) {
    self.orientation = orientation
    direction =
      switch orientation {
      case .portrait: Force(0, 1, 0, 0)
      case .portraitUpsideDown: Force(0, -1, 0, 0)
      case .landscapeLeft: Force(1, 0, 0, 0)
      case .landscapeRight: Force(-1, 0, 0, 0)
      case .faceUp: Force(0, 0, 1, 0)
      case .faceDown: Force(0, 0, -1, 0)
      case .unknown: Force()
      }
    across = Force(1, 1, 1, 0) - direction * direction
  }

  /// The component of a force along the axis.
  @inline(__always)
  func component(of force: Force) -> Float {
    (force * direction).sum()
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
