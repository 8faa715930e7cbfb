// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup
import Systemd

extension CalibrationPose {
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
