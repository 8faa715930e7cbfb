// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// Runs work on a thread of its own.
///
/// It is detached: to join a thread that hangs in a driver would hang too. No signal is handled on it: they are the main thread's.
///
/// - Parameter work: what to do; it ends the thread when it returns.
/// - Throws: ``SourceError/system(operation:code:)``
func detachThread(_ work: @escaping () -> Void) throws(SourceError) {
  var thread = pthread_t()
  let start = Unmanaged.passRetained(ThreadStart(work))
  // The new thread inherits this.
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
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
