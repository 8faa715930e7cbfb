// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Acceleration {
  /// The three components, m/s^2.
  var vector: SIMD3<Double> { SIMD3(x, y, z) }

  /// Creates an acceleration from three components.
  init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

extension Message {
  /// Reads the answer to GetGravity.
  borrowing func readGravity() throws(BusError) -> Acceleration<ScreenFrame> {
    try read(.structure, "ddd") { fields throws(BusError) in
      Acceleration(x: try fields.readDouble(), y: try fields.readDouble(), z: try fields.readDouble())
    }
  }
}
