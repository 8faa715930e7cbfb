// SPDX-License-Identifier: Apache-2.0

// CLOCK_BOOTTIME runs while the machine sleeps and CLOCK_MONOTONIC does not: their difference is the time slept. The kernel
// notifies when to compare them. A timer on the wall clock that is cancelled when that clock is set (TFD_TIMER_CANCEL_ON_SET,
// timerfd_create(2)) becomes readable at each resume, and causes no wake-ups otherwise.

import CLinux
import Systemd

/// Notifies when the machine has slept, even without a service that manages sleep.
final class SuspendClock {
  /// The shortest difference that counts as sleep, in nanoseconds: suspending and resuming alone take longer.
  private static let shortestSleep: Int64 = 100_000_000

  private let timer: OwnedFileDescriptor
  private var sleptBefore = SuspendClock.slept
  private var source: EventSource?

  /// Starts to watch.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - whenSlept: called after the machine has slept, unless ``takeNote()`` was called in between.
  /// - Throws: `SystemdError` if there are no descriptors left, or no such timer can be made.
  init(loop: EventLoop, whenSlept: @escaping () -> Void) throws(SystemdError) {
    timer = OwnedFileDescriptor(adopting: timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC | TFD_NONBLOCK)))
    guard timer.number >= 0 else { throw SystemdError(code: errno, operation: "timerfd_create") }
    // It never expires; it only gets cancelled.
    var never = itimerspec()
    never.it_value.tv_sec = .max
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    guard timerfd_settime(timer.number, flags, &never, nil) == 0 else {
      throw SystemdError(code: errno, operation: "timerfd_settime")
    }
    source = try loop.onReadable(timer.number) { [unowned(unsafe) self] in
      var expirations: UInt64 = 0
      // It fails with ECANCELED, which says that the clock was set.
      _ = read(timer.number, &expirations, 8)
      if takeNote() { whenSlept() }
    }
  }

  // The loop stops using the descriptor before it is closed.
  deinit { source = nil }

  /// Records all sleep so far; true if the machine has slept since the last call.
  @discardableResult
  func takeNote() -> Bool {
    let slept = Self.slept
    defer { sleptBefore = slept }
    return slept - sleptBefore >= Self.shortestSleep
  }

  /// How long the machine has slept since it was booted, in nanoseconds.
  private static var slept: Int64 { now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC) }

  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
