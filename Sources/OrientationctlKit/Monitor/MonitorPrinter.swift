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
  func print(_ change: OrientationChange) throws(OutputError)

  /// Prints what is new of the screen.
  ///
  /// - Parameters:
  ///   - screen: the present state.
  ///   - time: when it arrived.
  /// - Throws: ``OutputError`` if the reader has closed the output, or it cannot be written.
  func print(_ screen: ScreenSnapshot, at time: BootTime) throws(OutputError)

  /// Prints that the state of the screen is not known: no daemon runs, or it does not answer.
  func printUnavailable() throws(OutputError)
}
