// SPDX-License-Identifier: Apache-2.0

package import DaemonClient
import Following
package import Orientation
package import Systemd

/// What the monitor writes of the states that the daemon reports; the monitor itself prints the lines.
package protocol MonitorPrinter: AnyObject {
  /// Whether it shows how the device is held, which is known only to a subscriber, for whom the sensor runs.
  var showsDevice: Bool { get }

  /// Shows an orientation of the device that the daemon has announced.
  ///
  /// - Parameters:
  ///   - orientation: the orientation.
  ///   - sampleTime: when the sample was taken that decided the change; nil for the present state, and if no sample decided it.
  ///     If the rotation lock has delayed the announcement, it was long before.
  /// - Returns: the lines to print: one if the orientation is new, none in a picture.
  func show(_ orientation: DeviceOrientation, decidedAt sampleTime: BootTime?) -> [String]

  /// Shows the screen.
  ///
  /// - Parameter screen: the present state.
  /// - Returns: the lines to print, of what is new.
  func show(_ screen: ScreenSnapshot) -> [String]

  /// Shows that the state of the screen is not known: no daemon runs, or it does not answer; returns the lines to print.
  func showUnavailable() -> [String]

  /// Shows the sensor, whenever a value of the device has changed.
  func show(_ device: DeviceSnapshot)

  /// Writes a message about the daemon or the sensor, which is not part of the result.
  func note(_ text: String)

  /// Starts what the printer itself waits for, such as keys, before the monitor does anything.
  func start(on loop: EventLoop, for monitor: Monitor) throws(SystemdError)

  /// Ends it, after the last line.
  func finish()
}

// What printers of lines do.
extension MonitorPrinter {
  /// Shows nothing of the sensor.
  package func show(_: DeviceSnapshot) {}

  /// Writes it to the standard error.
  package func note(_ text: String) { Report.note(text) }

  /// Starts nothing.
  package func start(on _: EventLoop, for _: Monitor) {}

  /// Ends nothing.
  package func finish() {}
}
