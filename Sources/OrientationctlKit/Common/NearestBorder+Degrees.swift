// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation

extension NearestBorder {
  /// The angle of gravity past the border without its band, in degrees; negative before it.
  var degreesPastMiddle: Double { asin(min(max(sinePastMiddle, -1), 1)) * 180 / .pi }

  /// By how many degrees the tablet must still turn to pass the border with its band; negative after it.
  var degreesLeft: Double { degreesOfTurn - atan2(turned.x, turned.y) * 180 / .pi }

  /// By how many degrees a tablet that is held exactly in the present orientation must turn to pass the border.
  var degreesOfTurn: Double { atan2(crossing.x, crossing.y) * 180 / .pi }

  /// The border that the tablet has passed, or the one to which it must turn the least.
  ///
  /// The classifier weighs gravity, so the border that is the nearest to it may need a wider turn than another one.
  static func ofNextTurn(
    from present: DeviceOrientation, gravity: Acceleration<ScreenFrame>, hysteresis: Angle
  ) -> NearestBorder? {
    let nearest = NearestBorder(of: present, gravity: gravity, hysteresis: hysteresis)
    if let nearest, nearest.isCrossed { return nearest }
    return DeviceOrientation.allCases.filter { $0 != present && $0 != .unknown }
      .compactMap { NearestBorder(of: present, towards: $0, gravity: gravity, hysteresis: hysteresis) }
      .min { $0.degreesLeft < $1.degreesLeft }
  }
}
