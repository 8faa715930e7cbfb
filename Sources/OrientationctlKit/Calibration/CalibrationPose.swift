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
      "Hold it upright again, then turn it a quarter turn to the left: the edge that was at your right hand is up."
    }
  }

  /// Which edges are meant, told once before the first pose; where the panel is known, which of them are the long ones.
  static func whichEdges(_ natural: DetectedNaturalOrientation) -> String {
    """
    Three poses show how the sensor is mounted behind the screen. Upright, top and right refer to the panel itself:
    the panel is upright when the boot menu or the firmware's setup is upright on it. The present rotation of the
    desktop does not matter. (On some tablets, upright is sideways in the hand.)\(knownEdges(natural))
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
    return " Here a \(edges) edge is the top (\(natural.reason.printable))."
  }
}
