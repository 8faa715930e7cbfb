// SPDX-License-Identifier: Apache-2.0

import CLinux
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

/// Limits how long the server may keep this program busy.
///
/// libX11 waits without a limit for an answer that does not come, and reads events as long as there are more; meanwhile the event loop
/// does not run, so that not even a signal ends the program. A kernel timer does.
enum XPatience {
  /// In seconds: a change of a mode takes one or two.
  private static let seconds: CUnsignedInt = 10

  /// Ends the program with a message if a body takes longer than the server is waited for.
  static func limit<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    signal(SIGALRM) { _ in
      // Only what a signal handler may call.
      let text: StaticString = "Error: the X server does not answer, or does not come to an end\n"
      _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
      _exit(1)
    }
    // What is left for a body around this one.
    let rest = alarm(seconds)
    defer { alarm(rest) }
    return try body()
  }
}
