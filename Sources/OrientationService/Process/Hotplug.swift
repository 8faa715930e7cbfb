// SPDX-License-Identifier: Apache-2.0

// A hub that is plugged in makes a dozen events within a moment, and a driver that fails and is tried again makes them
// without end. The devices are looked through when it has become quiet, as udev may still be at work on some until then,
// and now and then while it does not become quiet. So there is a look after the last event, whatever came before.

import IIO
import Orientation
import Systemd

/// Hears from udev of IIO devices that come, go or change.
final class Hotplug {
  /// How long it has to be quiet, in seconds.
  private static let quietSeconds = 0.1
  /// How long an event waits for quiet at most, in seconds.
  private static let patienceSeconds = 1.0

  private let delay: Timer
  private var monitor: DeviceMonitor?
  private var patienceEnds = BootTime(nanoseconds: 0)

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - whenChanged: called after devices came, went or changed.
  /// - Throws: `SystemdError` where udev's socket cannot be had.
  init(loop: borrowing EventLoop, whenChanged: @escaping () -> Void) throws(SystemdError) {
    delay = try loop.timer(whenChanged)
    // Triggers are of another type: they come before the devices that they belong to.
    monitor = try DeviceMonitor(subsystem: "iio", deviceType: "iio_device", loop: loop) {
      [unowned(unsafe) self] _ in
      waitForQuiet()
    }
  }

  private func waitForQuiet() {
    let now = BootTime.now
    if !delay.isArmed { patienceEnds = now.advanced(bySeconds: Self.patienceSeconds) }
    let left = Double(patienceEnds.nanoseconds &- now.nanoseconds) / 1e9
    // It fails only in a loop that has ended, and then nobody cares for devices.
    _ = try? delay.arm(afterSeconds: max(min(Self.quietSeconds, left), 0))
  }
}
