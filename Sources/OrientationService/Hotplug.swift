// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Hears from udev of IIO devices that come, go or change.
final class Hotplug {
  /// How long after an event the devices are looked through, in seconds: a storm of events is a look now and then.
  private static let delaySeconds = 0.1

  private let delay: Timer
  private var monitor: DeviceMonitor?

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - whenChanged: called after devices came, went or changed.
  /// - Throws: `SystemdError` where udev's socket cannot be had.
  init(loop: borrowing EventLoop, whenChanged: @escaping () -> Void) throws(SystemdError) {
    delay = try loop.timer(whenChanged)
    monitor = try DeviceMonitor(subsystem: "iio", loop: loop) { [unowned(unsafe) self] _ in
      guard !delay.isArmed else { return }
      // It fails only in a loop that has ended, and then nobody cares for devices.
      _ = try? delay.arm(afterSeconds: Self.delaySeconds)
    }
  }
}
