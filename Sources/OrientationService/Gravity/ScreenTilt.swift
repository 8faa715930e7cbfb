// SPDX-License-Identifier: Apache-2.0

// How far the screen leans back or forward, in iio-sensor-proxy's words. It has its borders at 20 and 70 degrees of the
// screen's axis against the horizon, without hysteresis, so that a screen held just there makes it flutter. Here these are the
// borders on the way out from the vertical; on the way back each lies 5 degrees further in, more than a hand trembles.

import Orientation

/// How far the screen leans: the values of iio-sensor-proxy's `AccelerometerTilt`.
///
/// The angle is that of the axis out of the screen above the horizon: 0 for an upright screen, 90 for one that lies on its back.
enum ScreenTilt: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Not known.
  case undefined
  /// Upright, to 20 degrees either way.
  case vertical
  /// Leans back, the screen up.
  case tiltedUp
  /// Leans forward, the screen down.
  case tiltedDown
  /// Lies flat, the screen up: from 70 degrees on.
  case faceUp
  /// Lies flat, the screen down: from 70 degrees on.
  case faceDown

  /// The word on D-Bus.
  var word: String {
    switch self {
    case .undefined: "undefined"
    case .vertical: "vertical"
    case .tiltedUp: "tilted-up"
    case .tiltedDown: "tilted-down"
    case .faceUp: "face-up"
    case .faceDown: "face-down"
    }
  }

  // The squares of the borders' tangents: compared like this, they need no trigonometry.

  /// 20 degrees, at which the vertical is left.
  private static let outOfVertical = 0.132474
  /// 15 degrees, at which it is entered again.
  private static let intoVertical = 0.071797
  /// 70 degrees, at which flat begins.
  private static let intoFlat = 7.548632
  /// 65 degrees, at which it is left.
  private static let outOfFlat = 4.598910

  /// The tilt that follows this one.
  ///
  /// - Parameter gravity: the filtered reading in any unit; one without direction changes nothing.
  /// - Returns: the new tilt, or the same.
  func next(with gravity: Acceleration<ScreenFrame>) -> ScreenTilt {
    let outward = gravity.z * gravity.z
    let along = gravity.x * gravity.x + gravity.y * gravity.y
    guard outward + along > 0, gravity.isFinite else { return self }
    let (flat, tilted): (ScreenTilt, ScreenTilt) =
      gravity.z > 0 ? (.faceUp, .tiltedUp) : (.faceDown, .tiltedDown)
    if outward >= along * (self == flat ? Self.outOfFlat : Self.intoFlat) { return flat }
    let isOut = self == flat || self == tilted
    return outward > along * (isOut ? Self.intoVertical : Self.outOfVertical) ? tilted : .vertical
  }
}
