// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Systemd

/// Reports when the thread that waits for an event hangs in a sensor's driver, and when it is back. (`HangTimer` explains
/// how.)
///
/// The timer also expires if the whole process was frozen or starved. So after the timer has expired, the thread gets a
/// short time to come back.
final class ThreadWatchdog {
  /// How long that time is, in seconds: a thread that was thawed on a busy emulated machine took 0.3.
  private static let graceSeconds = 0.5

  /// The state of the thread.
  enum State {
    /// In a driver, for longer than any working sensor takes.
    case hung
    /// It is back.
    case responding
  }

  private let grace: Timer
  private var hang: EventSource?
  private var back: EventSource?

  init(
    of wakeUp: borrowing WakeUpEvent, loop: EventLoop,
    tell: @escaping (State) -> Void
  ) throws(SystemdError) {
    let (hangDescriptor, returnDescriptor) = (wakeUp.hangDescriptor, wakeUp.returnDescriptor)
    grace = try loop.timer { tell(.hung) }
    hang = try loop.onReadable(hangDescriptor) { [unowned(unsafe) self] in
      var expirations: eventfd_t = 0
      // There is nothing to read if the thread came back at the last moment.
      guard eventfd_read(hangDescriptor, &expirations) == 0 else { return }
      grace.arm(afterSeconds: Self.graceSeconds)
    }
    back = try loop.onReadable(returnDescriptor) { [unowned(unsafe) self] in
      var count: eventfd_t = 0
      _ = eventfd_read(returnDescriptor, &count)
      grace.cancel()
      tell(.responding)
    }
  }
}
