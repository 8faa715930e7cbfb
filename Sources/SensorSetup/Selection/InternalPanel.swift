// SPDX-License-Identifier: Apache-2.0

// The panel that is built into the device, from the kernel's graphics drivers in sysfs: a folder for each connector of each
// card, such as class/drm/card0-eDP-1, with `status` (connected or disconnected) and `modes`, one on each line, the
// preferred one first. The internal connectors are those that GNOME and KDE consider internal too: eDP, LVDS and DSI.

import IIO

/// The panel that is built into the device.
struct InternalPanel: Equatable {
  /// The name of the connector, such as "eDP-1".
  let connector: String
  /// The size of its preferred mode, in the panel's own upright; nil if the driver reports none.
  let size: PanelSize?

  /// Finds the connected internal panel: one with a mode is preferred; among equals, the first by card and connector.
  ///
  /// - Parameter sysfs: the mount point of sysfs.
  /// - Returns: the panel; nil if there is none.
  static func connected(sysfs: String) -> InternalPanel? {
    let folder = "\(sysfs)/class/drm"
    var withoutMode: InternalPanel?
    for name in namesOfFiles(in: folder).sorted() {
      guard let connector = internalConnector(name),
        firstLine(of: "\(folder)/\(name)/status") == "connected"
      else { continue }
      let size = firstLine(of: "\(folder)/\(name)/modes").flatMap { PanelSize(ofMode: $0) }
      let panel = InternalPanel(connector: connector, size: size)
      if size != nil { return panel }
      withoutMode = withoutMode ?? panel
    }
    return withoutMode
  }

  /// The connector's name in "card0-eDP-1", if it is an internal one.
  private static func internalConnector(_ name: String) -> String? {
    guard name.hasPrefix("card"), let dash = name.utf8.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let connector = String(name[name.utf8.index(after: dash)...])
    let isInternal = ["eDP-", "LVDS-", "DSI-"].contains { connector.hasPrefix($0) }
    return isInternal ? connector : nil
  }
}

/// The size of a mode in pixels.
struct PanelSize: Equatable, CustomStringConvertible {
  let width: Int
  let height: Int

  /// Parses a mode's name, such as "1200x1920" or, interlaced, "1920x1080i"; nil for any other text.
  init?(ofMode text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Self.pixels(parts[0]) else { return nil }
    let isInterlaced = parts[1].last == UInt8(ascii: "i")
    guard let height = Self.pixels(isInterlaced ? parts[1].dropLast() : parts[1]) else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// The sizes of a mode have 16 bits in the kernel.
  private static func pixels(_ digits: Substring.UTF8View) -> Int? {
    guard digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
    return UInt16(Substring(digits)).flatMap { $0 > 0 ? Int($0) : nil }
  }

  /// "1200x1920".
  var description: String { "\(width)x\(height)" }
}
