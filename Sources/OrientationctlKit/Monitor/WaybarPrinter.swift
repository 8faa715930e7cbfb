// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import Systemd

/// Prints the state of the rotation lock for waybar, a line for each change of it.
///
/// A line that equals the one before is not printed.
final class WaybarPrinter: MonitorPrinter {
  private var lines: LineCount
  private var last: WaybarLine?

  /// Creates a printer that has printed nothing.
  ///
  /// - Parameter limit: the number of lines to print; nil is no limit.
  init(limit: Int?) { lines = LineCount(limit: limit) }

  // A button must not keep the sensor running: that is for the desktop, which turns the screen.
  let showsDevice = false

  var isDone: Bool { lines.isComplete }

  var shortfall: String? { lines.shortfall }

  func print(_: DeviceChange) {}

  func print(_ screen: ScreenSnapshot, at _: BootTime) throws(OutputError) {
    try print(WaybarLine(of: screen))
  }

  func printUnavailable() throws(OutputError) { try print(WaybarLine.unavailable) }

  private func print(_ line: WaybarLine) throws(OutputError) {
    guard !isDone, line != last else { return }
    last = line
    lines.add()
    try StandardOutput.write(line.json.text + "\n")
  }
}
