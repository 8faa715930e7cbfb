// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Systemd

/// The rotation lock as waybar shows it: a line of its custom module with `"return-type": "json"`.
struct WaybarLine: Equatable {
  /// What the bar shows without `format-icons`, in Pango's markup.
  let text: String
  /// The key of `format-icons`.
  let alt: String
  /// The classes for the style sheet.
  let classes: [String]
  /// What the bar shows below the pointer, in Pango's markup.
  let tooltip: String

  /// Without a daemon.
  static let unavailable = WaybarLine(
    text: "rotation unavailable", alt: "unavailable", classes: ["unavailable"],
    tooltip: "orientationd does not run or does not answer")

  /// With a daemon.
  init(of screen: ScreenSnapshot) {
    let lock = screen.lock == .locked ? "locked" : "unlocked"
    let holds = screen.holds.map { "held by \(screen.text(of: $0))" }
    self.init(
      text: "rotation \(lock)", alt: lock, classes: [lock, screen.orientation.name],
      // Applications choose the texts of holds. A line feed in one would look like another hold.
      tooltip: ([screen.lockSentence] + holds).map(\.printable.pangoText).joined(separator: "\n"))
  }

  private init(text: String, alt: String, classes: [String], tooltip: String) {
    self.text = text
    self.alt = alt
    self.classes = classes
    self.tooltip = tooltip
  }

  var json: JSON {
    .object([
      .init("text", .string(text)), .init("alt", .string(alt)),
      .init("class", .array(classes.map(JSON.string))), .init("tooltip", .string(tooltip)),
    ])
  }
}

extension String {
  /// The text in Pango's markup, which begins elements with `<` and entities with `&`.
  fileprivate var pangoText: String {
    var escaped = ""
    for character in unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
