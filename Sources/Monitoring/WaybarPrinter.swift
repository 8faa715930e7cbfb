// SPDX-License-Identifier: Apache-2.0

package import DaemonClient
import Following
package import Orientation
import Systemd

/// Prints the rotation lock for waybar, a line for each change of it: of its custom module with `"return-type": "json"`.
///
/// A line that equals the one before is not printed.
package final class WaybarPrinter: MonitorPrinter {
  private var last = ""

  /// Creates a printer that has printed nothing.
  package init() {}

  /// It does not: a button must not keep the sensor running, which is for the desktop that turns the screen.
  package let showsDevice = false

  /// Shows nothing of the device.
  package func show(_: DeviceOrientation, decidedAt _: BootTime?) -> [String] { [] }

  /// Shows the lock, the interface's orientation and the holds.
  package func show(_ screen: ScreenSnapshot) -> [String] { changed(to: Self.line(of: screen)) }

  /// Shows that nothing is known.
  package func showUnavailable() -> [String] {
    changed(
      to: Self.line(
        text: "rotation unavailable", alt: "unavailable", classes: ["unavailable"],
        tooltip: "orientationd does not run or does not answer"))
  }

  private func changed(to line: String) -> [String] {
    defer { last = line }
    return line == last ? [] : [line]
  }

  /// The line with a daemon.
  static func line(of screen: ScreenSnapshot) -> String {
    let lock = screen.lock == .locked ? "locked" : "unlocked"
    let holds = screen.holds.map { "held by \(screen.text(of: $0, naming: $0.orientations.names))" }
    return line(
      text: "rotation \(lock)", alt: lock, classes: [lock, screen.orientation.name],
      // Applications choose the texts of holds. A line feed in one would look like another hold.
      tooltip: ([screen.lockSentence(naming: screen.orientation.name)] + holds).map { $0.printable.inMarkup }
        .joined(separator: "\n"))
  }

  /// A line.
  ///
  /// - Parameters:
  ///   - text: what the bar shows without `format-icons`, in Pango's markup.
  ///   - alt: the key of `format-icons`.
  ///   - classes: for the style sheet.
  ///   - tooltip: what the bar shows below the pointer, in Pango's markup.
  /// - Returns: JSON.
  private static func line(text: String, alt: String, classes: [String], tooltip: String) -> String {
    let classes = classes.map { $0.quotedInJSON }.joined(separator: ",")
    return "{\"text\":\(text.quotedInJSON),\"alt\":\(alt.quotedInJSON),\"class\":[\(classes)],"
      + "\"tooltip\":\(tooltip.quotedInJSON)}"
  }
}
