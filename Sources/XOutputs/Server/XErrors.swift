// SPDX-License-Identifier: Apache-2.0

import CX11

/// The errors that the server reports.
///
/// Without handlers, libX11 ends the program: at an error that is reported, such as for a device that was unplugged meanwhile, and at
/// the server's end.
enum XErrors {
  // libX11 calls handlers from the thread that makes requests, and this program has only one.
  nonisolated(unsafe) private static var count = 0

  /// Takes the place of libX11's handlers.
  static func handle() {
    XSetErrorHandler { _, _ in
      XErrors.count += 1
      return 0
    }
    // It would print something; the server's end is seen by XServer.
    XSetIOErrorHandler { _ in 0 }
  }

  /// Makes requests, and waits for the server to carry them out.
  ///
  /// - Returns: whether it has reported no error.
  static func none(on display: OpaquePointer, _ requests: () -> Void) -> Bool {
    let before = count
    requests()
    XSync(display, 0)
    return count == before
  }
}
