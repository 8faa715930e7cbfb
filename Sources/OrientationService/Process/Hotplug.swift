// SPDX-License-Identifier: Apache-2.0

// A hub that is plugged in causes a dozen events at once, and a driver that fails and is tried again causes events without end. The
// devices are scanned when there were no events for a while, as udev may still be busy with some until then; and regularly while
// events go on. So there is always a scan after the last event.

import IIO
import Orientation
import Systemd

/// Notifies of IIO devices, of accelerometers that are input devices, and of graphics cards that udev adds, removes or changes.
final class Hotplug {
  /// How long there must be no events before a scan, in seconds.
  private static let quietSeconds = 0.1
  /// How long after an event a scan comes at the latest, in seconds.
  private static let patienceSeconds = 1.0

  private var delay: Timer?
  private var monitor: DeviceMonitor?
  private var inputMonitor: DeviceMonitor?
  private var cardMonitor: DeviceMonitor?
  /// Called after devices came, went or changed.
  var whenChanged: () -> Void = {}
  private var patienceEnds = BootTime(nanoseconds: 0)

  /// Starts listening.
  ///
  /// - Parameter loop: the loop of this thread.
  /// - Throws: `SystemdError` if udev's socket cannot be opened.
  init(loop: EventLoop) throws(SystemdError) {
    delay = try loop.timer { [unowned(unsafe) self] in whenChanged() }
    // Triggers are of another type: they come before the devices that they belong to.
    monitor = try DeviceMonitor(subsystem: "iio", deviceType: "iio_device", loop: loop) {
      [unowned(unsafe) self] _ in
      waitForQuiet()
    }
    inputMonitor = try DeviceMonitor(subsystem: "input", property: "ID_INPUT_ACCELEROMETER", loop: loop) {
      [unowned(unsafe) self] _ in
      waitForQuiet()
    }
    // The panel is on one, whose driver may load after the accelerometer's, and may say later still what the panel's modes are.
    cardMonitor = try DeviceMonitor(subsystem: "drm", deviceType: "drm_minor", loop: loop) {
      [unowned(unsafe) self] _ in
      waitForQuiet()
    }
  }

  private func waitForQuiet() {
    let now = BootTime.now
    if delay?.isArmed == false { patienceEnds = now.advanced(bySeconds: Self.patienceSeconds) }
    let left = Double(patienceEnds.nanoseconds &- now.nanoseconds) / 1e9
    delay?.arm(afterSeconds: max(min(Self.quietSeconds, left), 0))
  }
}
