// SPDX-License-Identifier: Apache-2.0

// A thread that hangs in a driver cannot say so itself. So it says at each wait by when it will be back at the latest, by
// setting a timer of the kernel's: as long as it comes back in time, the timer never expires and wakes nobody.

import CLinux
import Synchronization

/// Expires when a thread does not come back to its wait in time; every third short wait costs one more system call (0.3 us).
@usableFromInline  // for its deinit, as AttributeFile
struct ReturnTimer: ~Copyable, Sendable {
  /// How long the thread may be away from its wait, in seconds.
  static let patience = 3.0

  /// What a setting leaves over for the short waits that follow it, in seconds: they need not set the timer again.
  private static let allowance = 1.0
  // So many short waits after the one that the timer was set for, with reads of a second each, end before it expires.
  /// A wait up to this long is short, in seconds.
  private static let shortWait = 0.25
  private static let sparedWaits = 2

  /// How many short waits may follow without a setting; for the waiting thread only.
  private let spared = Atomic<Int>(0)

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
    let isShort = seconds.map { $0 <= Self.shortWait } ?? false
    let left = spared.load(ordering: .relaxed)
    spared.store(!isShort ? 0 : left > 0 ? left - 1 : Self.sparedWaits, ordering: .relaxed)
    guard !isShort || left == 0 else { return }
    var new = itimerspec()
    if let seconds {
      let total = seconds + Self.patience + (isShort ? Self.allowance : 0)
      new.it_value = timespec(tv_sec: Int(total), tv_nsec: Int((total - total.rounded(.down)) * 1e9))
    }
    var old = itimerspec()
    timerfd_settime(descriptor, 0, &new, &old)
    // It has expired, or there was nothing to expire: the thread may have been away for long.
    if old.it_value.tv_sec == 0 && old.it_value.tv_nsec == 0 { _ = eventfd_write(returned, 1) }
  }
}
