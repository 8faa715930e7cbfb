// SPDX-License-Identifier: Apache-2.0

// Frees memory that the start, a scan of the devices, and calls need and sampling does not. Relocating and initializing the libraries,
// and the code of all that runs once, touch 2.5 MB of code, symbols and constants, which would count as the daemon's memory until
// memory is short (RSS while sampling: 2.6 MB instead of 5.1, measured on Debian 12). docs/measurements.md accounts for the rest.

import IIO
import Systemd

/// Returns the memory to the system that finding and opening a sensor has used and freed.
///
/// libiio reads all attributes of every device, with deep recursion into sysfs (50 kB, measured). It is unloaded, too.
func releaseOpeningMemory() {
  Libiio.shared.unloadIfUnused()
  releaseHeapAndStack()
}

/// Releases what the start, a scan of the devices, or the opening of a sensor has used, when all is quiet again.
final class MemoryRelease {
  /// After this time, the announcements that follow are made too, in seconds.
  private static let delaySeconds = 2.0

  private let connection: Connection
  private var timer: Timer?

  /// Creates one that does nothing yet.
  init(on connection: Connection) {
    self.connection = connection
  }

  /// Releases the memory in two seconds, counted from the last call: a storm of udev events loads libiio once.
  func soon() {
    // If it fails, the memory stays in use.
    timer = try? connection.loop.after(seconds: Self.delaySeconds) { [unowned(unsafe) self] in
      timer = nil
      Libiio.shared.unloadIfUnused()
      releaseUnusedPages()
    }
  }
}
