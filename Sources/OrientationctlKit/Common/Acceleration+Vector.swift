// SPDX-License-Identifier: Apache-2.0

import Orientation

extension Acceleration {
  /// The three components, m/s^2.
  var vector: SIMD3<Double> { SIMD3(x, y, z) }

  /// Creates an acceleration from three components.
  init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}
