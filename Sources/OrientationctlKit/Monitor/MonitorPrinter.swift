// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import Systemd

/// What the monitor writes of the states that the daemon reports.
protocol MonitorPrinter: AnyObject {
  /// Whether the lines show how the device is held, which is known only to a subscriber, for whom the sensor runs.
  var showsDevice: Bool { get }

  /// Whether all lines have been printed that were asked for.
  var isDone: Bool { get }

  /// That lines are missing, for people; nil if none is.
  var shortfall: String? { get }

  /// Prints the orientation of the device if that is new.
  func print(_ change: DeviceChange) throws(OutputError)

  /// Prints what is new of the screen.
  ///
  /// - Parameters:
  ///   - screen: the present state.
  ///   - time: when it arrived.
  /// - Throws: ``OutputError`` if the reader has closed the output, or it cannot be written.
  func print(_ screen: ScreenSnapshot, at time: BootTime) throws(OutputError)

  /// Prints that the state of the screen is not known: no daemon runs, or it does not answer.
  func printUnavailable() throws(OutputError)

  /// Shows the sensor, whenever a value of the device has changed.
  func show(_ device: DeviceSnapshot)

  /// Writes a message about the daemon or the sensor, which is not part of the result.
  func note(_ text: String)

  /// Starts what the printer itself waits for, such as keys, before the monitor does anything.
  func start(on loop: EventLoop, for monitor: any MonitorControl) throws(SystemdError)

  /// Ends it, after the last line.
  func finish()
}

// What printers of lines do.
extension MonitorPrinter {
  func show(_: DeviceSnapshot) {}

  func note(_ text: String) { StandardError.note(text) }

  func start(on _: EventLoop, for _: any MonitorControl) {}

  func finish() {}
}
