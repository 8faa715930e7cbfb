// SPDX-License-Identifier: Apache-2.0

// Every change of a property wakes up all clients that listen. The orientation changes as often as a hand turns the device, but
// whether there are subscribers changes as often as a client likes: one that began and ended in a loop caused 20,000 signals a second
// to all others (measured). So such changes are announced at once up to a number that no desktop reaches, and collected after that.

import IIO
import Orientation
import Systemd

/// When changes that clients can cause are announced.
final class AnnouncementPace {
  /// How many may be announced at once: the start of a sensor causes 3 or 4.
  static let burst = 20.0
  /// How many a second in the long run.
  static let announcementsPerSecond = 10.0

  private var taken = 0.0
  private var time = BootTime.now
  private var timer: Timer?

  /// Begins with the whole burst available.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - whenDue: called when the collected changes may be announced.
  /// - Throws: `SystemdError` if no timer can be made.
  init(loop: EventLoop, whenDue: @escaping () -> Void) throws(SystemdError) {
    timer = try loop.timer(whenDue)
  }

  /// Takes one announcement.
  ///
  /// If there is none left, the owner is called when there is.
  ///
  /// - Parameter now: the present time.
  /// - Returns: whether there was one.
  func take(at now: BootTime = .now) -> Bool {
    taken = max(taken - max(now.seconds(since: time), 0) * Self.announcementsPerSecond, 0)
    time = now
    guard taken + 1 <= Self.burst else {
      if timer?.isArmed == false { timer?.arm(afterSeconds: 1 / Self.announcementsPerSecond) }
      return false
    }
    taken += 1
    return true
  }
}
