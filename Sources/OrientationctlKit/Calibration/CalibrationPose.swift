// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup
import Systemd

/// One of the poses by which the mounting of a sensor is found, in the order in which they are asked for.
///
/// Upright and flat come first, as they need no knowledge of left and right.
enum CalibrationPose: CaseIterable {
  case upright, flat, rightEdgeUp

  /// The name within a sentence.
  var name: String {
    switch self {
    case .upright: "upright"
    case .flat: "flat"
    case .rightEdgeUp: "right edge up"
    }
  }

  /// What the person is to do.
  var request: String {
    switch self {
    case .upright: "Hold it upright, its screen towards you and the top edge up."
    case .flat: "Lay it flat on a table, its screen up."
    case .rightEdgeUp:
      "Hold it upright again, then turn it a quarter to the left: the edge that was at your right hand is up."
    }
  }

  /// Which edges are meant, told once before the first pose; where the panel is known, which of them are the long ones.
  static func whichEdges(_ natural: DetectedNaturalOrientation) -> String {
    """
    Three poses tell how the sensor sits behind the screen. Upright, top and right are meant as the panel itself has
    them: as the boot menu or the firmware's setup stands upright on it, whichever way the desktop is turned now.
    (On some tablets that is sideways in the hand.)\(knownEdges(natural))
    Of a 2-in-1 the screen counts, wherever its keyboard is.

    """
  }

  private static func knownEdges(_ natural: DetectedNaturalOrientation) -> String {
    guard !natural.isAssumed else { return "" }
    let edges =
      switch natural.orientation {
      case .portrait, .portraitUpsideDown: "short"
      case .landscapeLeft, .landscapeRight: "long"
      }
    return " Here a \(edges) edge is the top (\(natural.reason.printable))."
  }
}
