// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// Runs work on a thread of its own.
///
/// It is detached: to join a thread that hangs in a driver would hang too. Signals must be blocked already: the thread inherits
/// that.
///
/// - Parameter work: what to do; it ends the thread when it returns.
/// - Throws: ``SourceError/system(operation:code:)``
func detachThread(_ work: @escaping () -> Void) throws(SourceError) {
  var thread = pthread_t()
  let start = Unmanaged.passRetained(ThreadStart(work))
  let code = pthread_create(
    &thread, nil,
    { start in
      guard let start else { return nil }
      Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().work()
      return nil
    }, start.toOpaque())
  guard code == 0 else {
    start.release()
    throw .system(operation: "pthread_create", code: code)
  }
  pthread_detach(thread)
}

/// The argument of a new thread.
private final class ThreadStart {
  let work: () -> Void

  init(_ work: @escaping () -> Void) { self.work = work }
}
