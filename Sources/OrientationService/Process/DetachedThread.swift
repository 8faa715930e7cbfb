// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// Runs work on a thread of its own.
///
/// Nobody joins it: a thread that hangs in a driver would hang the join too. Signals must be blocked by now, so that the
/// thread inherits that.
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

/// What a new thread gets to know.
private final class ThreadStart {
  let work: () -> Void

  init(_ work: @escaping () -> Void) { self.work = work }
}
