// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Orientation

/// What holds the tablet up in each orientation, in the screen's axes and units of standard gravity.
package let axes: [(orientation: DeviceOrientation, axis: SIMD3<Double>)] = [
  (.portrait, SIMD3(0, 1, 0)), (.portraitUpsideDown, SIMD3(0, -1, 0)),
  (.landscapeLeft, SIMD3(1, 0, 0)), (.landscapeRight, SIMD3(-1, 0, 0)),
  (.faceUp, SIMD3(0, 0, 1)), (.faceDown, SIMD3(0, 0, -1)),
]

/// What holds the tablet up when its screen stands `elevation` degrees above the table, rolled by `roll` degrees towards
/// its right edge up.
package func held(elevation: Double, roll: Double) -> SIMD3<Double> {
  let (elevation, roll) = (elevation * .pi / 180, roll * .pi / 180)
  return SIMD3(sin(elevation) * sin(roll), sin(elevation) * cos(roll), cos(elevation))
}
