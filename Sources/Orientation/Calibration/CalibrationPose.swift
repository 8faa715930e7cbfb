// SPDX-License-Identifier: Apache-2.0

/// A pose for the calibration, in the order in which the user is asked for them.
///
/// Upright and flat come first, because left and right cannot be confused in them.
package enum CalibrationPose: CaseIterable, Sendable {
  /// The top edge is up.
  case upright
  /// The screen is up.
  case flat
  /// The right edge is up.
  case rightEdgeUp

  /// The name, as part of a sentence.
  package var name: String {
    switch self {
    case .upright: "upright"
    case .flat: "flat"
    case .rightEdgeUp: "right edge up"
    }
  }

  /// What the user must do.
  package var request: String {
    switch self {
    case .upright: "Hold it upright, its screen towards you and the top edge up."
    case .flat: "Lay it flat on a table, its screen up."
    case .rightEdgeUp:
      """
      Hold it upright again, then turn it a quarter turn to the left: the edge that
      was at your right hand is up.
      """
    }
  }

  /// The direction that is up in the pose, in the device's axes.
  ///
  /// - Parameter natural: the orientation of the device when the panel is upright.
  /// - Returns: the direction, of length one.
  package func up(on natural: NaturalOrientation) -> SIMD3<Double> {
    let top = natural.device.up ?? SIMD3(0, 1, 0)
    switch self {
    case .upright: return top
    case .flat: return SIMD3(0, 0, 1)
    case .rightEdgeUp: return SIMD3(top.y, -top.x, 0)
    }
  }
}
