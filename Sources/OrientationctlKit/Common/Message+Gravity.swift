// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Message {
  /// Reads the answer to MeasureGravity.
  borrowing func readGravity() throws(BusError) -> Acceleration<ScreenFrame> {
    Acceleration(x: try readDouble(), y: try readDouble(), z: try readDouble())
  }
}
