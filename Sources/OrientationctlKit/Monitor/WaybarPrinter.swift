// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Orientation
import Systemd

/// Prints the rotation lock for waybar, a line for each change of it: of its custom module with `"return-type": "json"`.
///
/// A line that equals the one before is not printed.
final class WaybarPrinter: MonitorPrinter {
  private var last = ""

  // A button must not keep the sensor running: that is for the desktop, which turns the screen.
  let showsDevice = false

  func show(_: DeviceOrientation, at _: BootTime, decidedAt _: BootTime?) -> [String] { [] }

  func show(_ screen: ScreenSnapshot, at _: BootTime) -> [String] { changed(to: Self.line(of: screen)) }

  func showUnavailable() -> [String] {
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
      tooltip: ([screen.lockSentence(naming: screen.orientation.name)] + holds).map(\.printable.inMarkup)
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
    JSON.object([
      .init("text", .string(text)), .init("alt", .string(alt)),
      .init("class", .array(classes.map(JSON.string))), .init("tooltip", .string(tooltip)),
    ]).text
  }
}
