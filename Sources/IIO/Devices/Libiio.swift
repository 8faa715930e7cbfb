// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

/// libiio, loaded while it is needed.
///
/// libiio describes devices, and reads those of other machines; the settings of this machine's are files, and samples come from
/// descriptors. With it come two dozen libraries (libxml2, ICU, Avahi, libusb and others), which write to 300 kB of memory when they are
/// loaded. So each description loads them, and they are unloaded at ``unloadIfUnused()``: the next description often follows at once.
package final class Libiio: @unchecked Sendable {
  /// The library of this process.
  package static let shared = Libiio()

  private static let name = "libiio.so.0"

  /// The library's functions.
  ///
  /// They may be called between ``retain()`` and ``release()``.
  static var functions: libiio_functions {
    unsafeAddress { UnsafePointer(shared.table) }
  }

  private let table = UnsafeMutablePointer<libiio_functions>.allocate(capacity: 1)
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The lock protects these.
  private var library: UnsafeMutableRawPointer?
  private var users = 0

  private init() {
    pthread_mutex_init(lock, nil)
  }

  /// Loads the library if it is not loaded; it stays loaded until ``release()``.
  ///
  /// - Returns: why it cannot be loaded, in the words of dlopen(3); nil if it is.
  func retain() -> String? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    if library == nil { library = libiio_load(Self.name, table) }
    guard library != nil else { return dlerror().map { String(cString: $0) } ?? Self.name }
    users += 1
    return nil
  }

  /// Ends the use that ``retain()`` began.
  func release() {
    pthread_mutex_lock(lock)
    users -= 1
    pthread_mutex_unlock(lock)
  }

  /// Unloads the library if no context uses it; does not wait for a thread that loads it just now.
  package func unloadIfUnused() {
    guard pthread_mutex_trylock(lock) == 0 else { return }
    defer { pthread_mutex_unlock(lock) }
    guard users == 0, let loaded = library else { return }
    dlclose(loaded)
    library = nil
  }
}
