// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup
import Systemd

/// A pose for the calibration, in the order in which the user is asked for them.
///
/// Upright and flat come first, because left and right cannot be confused in them.
enum CalibrationPose: CaseIterable {
  case upright, flat, rightEdgeUp

  /// The name, as part of a sentence.
  var name: String {
    switch self {
    case .upright: "upright"
    case .flat: "flat"
    case .rightEdgeUp: "right edge up"
    }
  }

  /// What the user must do.
  var request: String {
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

  /// Which edges the requests mean, printed before the first pose.
  ///
  /// If the panel is known, it says which edge is the top.
  static func whichEdges(_ natural: DetectedNaturalOrientation) -> String {
    """
    Three poses show how the sensor is mounted behind the screen. Upright, top and
    right refer to the panel itself: the panel is upright when the boot menu or the
    firmware's setup is upright on it. The present rotation of the desktop does not
    matter. (On some tablets, upright is sideways in the hand.)\(knownEdges(natural))
    On a 2-in-1, only the screen matters, not the keyboard.

    """
  }

  private static func knownEdges(_ natural: DetectedNaturalOrientation) -> String {
    guard !natural.isAssumed else { return "" }
    let edges =
      switch natural.orientation {
      case .portrait, .portraitUpsideDown: "short"
      case .landscapeLeft, .landscapeRight: "long"
      }
    return "\nHere a \(edges) edge is the top (\(natural.reason.printable))."
  }
}
