// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation

extension NearestBorder {
  /// The angle of gravity past the plane midway between both orientations, in degrees; negative before it.
  var degreesPastMiddle: Double { asin(min(max(sinePastMiddle, -1), 1)) * 180 / .pi }

  /// How far gravity must still turn to pass the border with its band, in degrees; negative after it.
  ///
  /// - Parameter hysteresis: the band.
  /// - Returns: the angle.
  func degreesLeft(hysteresis: Angle) -> Double { hysteresis.degrees - degreesPastMiddle }
}
