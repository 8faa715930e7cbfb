// SPDX-License-Identifier: Apache-2.0

// A thread that hangs in a driver cannot report that itself. So before each wait, it sets a timer of the kernel to the time
// by which it will be back at the latest. As long as the thread comes back in time, the timer never expires and wakes up
// nothing.

import CLinux
import Synchronization

/// Expires when a thread does not come back to its wait in time.
///
/// This costs a read of the clock per wait, and a system call every few seconds.
@usableFromInline  // for its deinit, as AttributeFile
struct HangTimer: ~Copyable, Sendable {
  /// How long the thread may be away from its wait, in seconds.
  static let patience = 3.0

  /// How much longer the timer is set before a short wait, in seconds.
  ///
  /// Then the following waits need not set the timer again. If the thread does not come back from one of them, this may be
  /// noticed later by as much.
  private static let allowance = 3.0
  /// A wait up to this long is short, in seconds.
  private static let shortWait = 0.25

  /// When the timer expires, in nanoseconds of its clock; 0 while it is not set.
  ///
  /// Only the waiting thread uses it.
  private let expiry = Atomic<Int64>(0)

  /// The timer's descriptor, readable after it has expired.
  let descriptor: CInt
  /// An eventfd that is signalled when the thread comes back.
  let returned: CInt

  init() throws(SourceError) {
    // Not the boot clock: it continues during suspend, when the thread cannot come back.
    let descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
    let returned = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0, returned >= 0 else {
      let code = errno
      close(descriptor)
      close(returned)
      throw .system(operation: "timerfd_create", code: code)
    }
    self.descriptor = descriptor
    self.returned = returned
  }

  deinit {
    close(descriptor)
    close(returned)
  }

  /// Called when the thread is back, before it waits for so many seconds; nil is an endless wait.
  func expectReturn(after seconds: Double?) {
    guard let seconds else { return set(expiry: 0) }
    let due = Self.now + Self.nanoseconds(seconds + Self.patience)
    let allowance = seconds <= Self.shortWait ? Self.nanoseconds(Self.allowance) : 0
    // The present expiry is before the due time, or long after it, because a long wait has ended early.
    let expiry = self.expiry.load(ordering: .relaxed)
    if expiry < due || expiry > due + allowance { set(expiry: due + allowance) }
  }

  private func set(expiry nanoseconds: Int64) {
    expiry.store(nanoseconds, ordering: .relaxed)
    var new = itimerspec()
    new.it_value = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var old = itimerspec()
    timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &new, &old)
    // The timer has expired, or was not set: the thread may have been away for long.
    if old.it_value.tv_sec == 0 && old.it_value.tv_nsec == 0 { _ = eventfd_write(returned, 1) }
  }

  /// The timer's clock, accurate to some milliseconds, which is read without a system call.
  private static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
}
