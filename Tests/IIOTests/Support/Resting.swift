// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import IIO
import Orientation

/// Does something on a thread of its own after some seconds, such as to end a wait: those of tasks may all be waiting.
func later(_ seconds: Double, _ act: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    usleep(UInt32(seconds * 1e6))
    act()
  }
}

extension WakeUpEvent {
  /// Signals after some seconds.
  func signal(after seconds: Double) {
    let descriptor = fileDescriptor
    later(seconds) { _ = eventfd_write(descriptor, 1) }
  }
}

/// What an attribute of the mock kernel holds, for other threads: the first line.
func line(ofAttribute path: String) -> String {
  let file = open(path, O_RDONLY)
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 256)
  let count = read(file, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0 && $0 != 0x0a }, as: UTF8.self)
}

/// A rest in units of standard gravity, with the least tolerance.
func rest(_ x: Double, _ y: Double, _ z: Double) -> Rest {
  Rest(
    at: Acceleration(x: x * standardGravity, y: y * standardGravity, z: z * standardGravity),
    tolerance: Rest.leastTolerance * standardGravity)
}
