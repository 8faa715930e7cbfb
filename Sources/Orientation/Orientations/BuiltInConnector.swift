// SPDX-License-Identifier: Apache-2.0

/// How certain it is that what is connected to a graphics card is built into the device, by the name of the connector.
///
/// The most certain is the least.
package enum BuiltInConnector: Comparable, CaseIterable, Sendable {
  /// Those that GNOME and KDE consider internal, too.
  case panel
  /// The plain buses of small boards, to which nothing else is connected.
  case simplePanel
  /// The driver knows nothing of it, such as simpledrm, which shows on what the firmware has switched on.
  case unknown

  /// Nil for the name of a connector with a cable.
  ///
  /// - Parameter name: the name, such as "eDP-1", or "eDP1" as some drivers of X servers call it.
  package init?(name: String) {
    let found = Self.allCases.first { certainty in certainty.prefixes.contains { name.hasPrefix($0) } }
    guard let found else { return nil }
    self = found
  }

  private var prefixes: [String] {
    switch self {
    case .panel: ["eDP", "LVDS", "DSI"]
    case .simplePanel: ["DPI", "SPI"]
    case .unknown: ["Unknown"]
    }
  }
}
