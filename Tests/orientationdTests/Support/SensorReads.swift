// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import TestSupport

/// Counts how often the daemon reads a polled sensor, as the kernel tells it (inotify): every read, none twice, however
/// late the test looks.
final class SensorReads {
  private let descriptor: Int32
  private let x: Int32
  private(set) var count = 0

  init(of device: String, _ kernel: borrowing MockKernel) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    x = inotify_add_watch(descriptor, kernel.file(of: "in_accel_x_raw", of: device), UInt32(IN_ACCESS))
    // Two equal events in a row are told as one: those of another axis keep those of this one apart.
    _ = inotify_add_watch(descriptor, kernel.file(of: "in_accel_z_raw", of: device), UInt32(IN_ACCESS))
  }

  deinit { close(descriptor) }

  /// Counts what was read until now, and then one read more, which it waits for; returns the time of that, in seconds.
  func waitForNext() throws -> Double {
    look()
    let before = count
    try wait(for: "a read of the sensor", pause: { usleep(1_000) }) {
      look()
      return count > before
    }
    return Double(bootTime) / 1e9
  }

  /// Counts what was read until now.
  func look() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let length = read(descriptor, &bytes, bytes.count)
      guard length > 0 else { return }
      bytes.withUnsafeBytes { buffer in
        // Events of a file that is watched by itself have no name, and so one size.
        for start in stride(from: 0, to: length, by: MemoryLayout<inotify_event>.size)
        where buffer.loadUnaligned(fromByteOffset: start, as: Int32.self) == x { count += 1 }
      }
    }
  }
}
