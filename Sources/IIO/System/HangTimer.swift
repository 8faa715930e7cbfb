// SPDX-License-Identifier: Apache-2.0

// A thread that hangs in a driver cannot say so itself. So it says at each wait by when it will be back at the latest, by
// setting a timer of the kernel's: as long as it comes back in time, the timer never expires and wakes nobody.

import CLinux
import Synchronization

/// Expires when a thread does not come back to its wait in time; that costs a look at the clock for each wait, and a system call
/// every few seconds.
@usableFromInline  // for its deinit, as AttributeFile
struct HangTimer: ~Copyable, Sendable {
  /// How long the thread may be away from its wait, in seconds.
  static let patience = 3.0

  /// What a setting before a short wait leaves over for those that follow, in seconds.
  ///
  /// They need not set the timer again. A thread that does not come back from one of them may be missed later by as much.
  private static let allowance = 3.0
  /// A wait up to this long is short, in seconds.
  private static let shortWait = 0.25

  /// When the timer expires, in nanoseconds of its clock; nought while it is not set.
  ///
  /// For the waiting thread only.
  private let expiry = Atomic<Int64>(0)

  /// The timer's descriptor, readable once it has expired.
  let descriptor: CInt
  /// An eventfd that is signalled by the return.
  let returned: CInt

  init() throws(SourceError) {
    // Not the boot clock, which goes on during suspend, while the thread cannot come back.
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

  /// Takes in that the thread is back, and goes into a wait of so many seconds; nil is one without end.
  func expectReturn(after seconds: Double?) {
    guard let seconds else { return set(expiry: 0) }
    let due = Self.now + Self.nanoseconds(seconds + Self.patience)
    let allowance = seconds <= Self.shortWait ? Self.nanoseconds(Self.allowance) : 0
    // Set for before that, or for long after, as by a long wait that ended early.
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
    // It has expired, or there was nothing to expire: the thread may have been away for long.
    if old.it_value.tv_sec == 0 && old.it_value.tv_nsec == 0 { _ = eventfd_write(returned, 1) }
  }

  /// The timer's clock, to some milliseconds, which is read without a system call.
  private static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
}
