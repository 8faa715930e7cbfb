// SPDX-License-Identifier: Apache-2.0

import Orientation

/// What a resting tablet reads in an orientation, m/s^2.
func reading(_ orientation: DeviceOrientation) -> (x: Double, y: Double, z: Double) {
  switch orientation {
  case .portrait: (0, standardGravity, 0)
  case .portraitUpsideDown: (0, -standardGravity, 0)
  case .landscapeLeft: (standardGravity, 0, 0)
  case .landscapeRight: (-standardGravity, 0, 0)
  case .faceUp: (0, 0, standardGravity)
  case .faceDown: (0, 0, -standardGravity)
  case .unknown: (0, 0, 0)
  }
}

/// A recording at 25 Hz of a tablet that is put from one orientation into the next.
///
/// - Parameters:
///   - orientations: held one after the other.
///   - seconds: how long each is held.
///   - start: the time of the first sample.
/// - Returns: the recording as CSV.
func recording(_ orientations: [DeviceOrientation], seconds: Double = 2, start: Double = 0) -> String {
  let samples = Int(seconds * 25)
  var text = "t_s,ax,ay,az\n"
  for index in 0..<(orientations.count * samples) {
    let (x, y, z) = reading(orientations[index / samples])
    text += "\(start + Double(index) / 25),\(x),\(y),\(z)\n"
  }
  return text
}
