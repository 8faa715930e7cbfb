// SPDX-License-Identifier: Apache-2.0

// The kernel tells how a panel is mounted only to a program that has opened the graphics card. Who opens a card that no program draws on
// becomes its master, and a compositor that starts at that moment would fail. So the daemon never opens one. A udev rule does so, as
// root, before udev announces the card: compositors do not know it then. It gives mastership back at once, and after the start of the
// machine it does not open the card again.

import CLinux

/// How the panels of a graphics card are mounted, as the kernel says.
package enum CardPanels {
  /// The most connectors that a card can have; real ones have up to twenty.
  private static let most = 64
  /// The connectors that a panel can be on, by the kernel's numbers for their kinds (DRM_MODE_CONNECTOR_...).
  private static let kinds: [(number: UInt32, name: String)] = [
    (0, "Unknown"), (7, "LVDS"), (14, "eDP"), (16, "DSI"), (17, "DPI"), (19, "SPI"),
  ]

  /// The value of udev's property ORIENTATIOND_PANELS.
  ///
  /// - Parameter path: the card's device node.
  /// - Returns: "eDP-1=right_side_up DSI-1=normal", for the connectors of which the kernel knows it; nil if the card cannot be read.
  package static func text(ofCard path: String) -> String? {
    let card = openCard(path)
    guard card >= 0 else { return nil }
    defer { close(card) }
    var connectors = [UInt32](repeating: 0, count: most)
    let count = listConnectors(of: card, to: &connectors, most: UInt32(most))
    guard count >= 0 else { return nil }
    var words: [String] = []
    for connector in connectors.prefix(Int(count)) {
      var (kind, number): (UInt32, UInt32) = (0, 0)
      let orientation = panelOrientation(on: card, of: connector, kind: &kind, number: &number)
      guard orientation >= 0, let name = kinds.first(where: { $0.number == kind })?.name else { continue }
      words.append("\(name)-\(number)=\(PanelMounting.allCases[Int(orientation)].rawValue)")
    }
    return words.joined(separator: " ")
  }
}
