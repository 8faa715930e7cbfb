// SPDX-License-Identifier: Apache-2.0

package import Systemd

/// Calls back once after some time, unless it is cancelled before.
package final class Deadline {
  private var timer: Timer?

  /// Starts to wait; if there are no descriptors left for a timer, there is no deadline.
  package init(on loop: EventLoop, seconds: Double, _ expired: @escaping () -> Void) {
    timer = try? loop.after(seconds: seconds, expired)
  }

  /// Whether it waits.
  package var isWaiting: Bool { timer != nil }

  /// Ends the wait.
  package func cancel() { timer = nil }
}
