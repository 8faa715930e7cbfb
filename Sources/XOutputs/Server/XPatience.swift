// SPDX-License-Identifier: Apache-2.0

import CLinux

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
