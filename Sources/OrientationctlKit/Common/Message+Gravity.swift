// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Message {
  /// Reads the answer to GetGravity.
  borrowing func readGravity() throws(BusError) -> Acceleration<ScreenFrame> {
    try read(.structure, "ddd") { fields throws(BusError) in
      Acceleration(x: try fields.readDouble(), y: try fields.readDouble(), z: try fields.readDouble())
    }
  }
}
