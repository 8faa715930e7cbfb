// SPDX-License-Identifier: Apache-2.0

// CLOCK_BOOTTIME goes on while the machine sleeps and CLOCK_MONOTONIC does not: what they have drifted apart is the time
// slept. The kernel itself says when to look. A timer on the wall clock that asks to be told when that clock is set
// (TFD_TIMER_CANCEL_ON_SET, timerfd_create(2)) becomes readable with each resume, and costs no wake-up in between.

import CLinux
import Systemd

/// Tells when the machine has slept, also where no service manages that.
final class SuspendClock {
  /// Less is no sleep, in nanoseconds: suspending and resuming alone take longer.
  private static let shortestSleep: Int64 = 100_000_000

  private let timer: OwnedFileDescriptor
  private var sleptBefore = SuspendClock.slept
  private var source: EventSource?

  /// Starts to watch.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - whenSlept: called after the machine has slept, unless ``takeNote()`` was called in between.
  /// - Throws: `SystemdError` where there is no descriptor or no such timer to be had.
  init(loop: borrowing EventLoop, whenSlept: @escaping () -> Void) throws(SystemdError) {
    timer = OwnedFileDescriptor(adopting: timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC | TFD_NONBLOCK)))
    guard timer.number >= 0 else { throw SystemdError(code: errno, operation: "timerfd_create") }
    // Never due: it is there to be cancelled.
    var never = itimerspec()
    never.it_value.tv_sec = .max
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    guard timerfd_settime(timer.number, flags, &never, nil) == 0 else {
      throw SystemdError(code: errno, operation: "timerfd_settime")
    }
    source = try loop.onReadable(timer.number) { [unowned(unsafe) self] in
      var expirations: UInt64 = 0
      // It fails with ECANCELED, which is the news.
      _ = read(timer.number, &expirations, 8)
      if takeNote() { whenSlept() }
    }
  }

  // The loop lets go of the descriptor before it is closed.
  deinit { source = nil }

  /// Takes note of all sleep so far; true where the machine has slept since the last time.
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
