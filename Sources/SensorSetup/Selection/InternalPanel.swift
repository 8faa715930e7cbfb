// SPDX-License-Identifier: Apache-2.0

// The panel that is built into the device, from the kernel's graphics drivers in sysfs: a folder for each connector of each
// card, such as class/drm/card0-eDP-1, with `status` (connected, disconnected, or unknown if the driver cannot find out) and
// `modes`, one on each line, the preferred one first.

import Evdev
import IIO
import Orientation

/// The panel that is built into the device.
struct InternalPanel: Equatable {
  /// The name of the connector, such as "eDP-1".
  let connector: String
  /// The folder of its card in sysfs.
  let card: String
  /// The size of its preferred mode, in the panel's own upright; nil if the driver reports none.
  let size: PanelSize?
  private let isCertain: Bool
  let kind: BuiltInConnector

  /// Finds the internal panel: one with a mode is preferred, then one that is certainly connected, then the most certainly
  /// built in; among equals, the first by card and connector.
  ///
  /// - Parameter sysfs: the mount point of sysfs.
  /// - Returns: the panel; nil if there is none.
  static func connected(sysfs: String) -> InternalPanel? {
    let folder = "\(sysfs)/class/drm"
    var best: InternalPanel?
    var hasExternal = false
    for name in namesOfFiles(in: folder).sorted(by: { $0.naturallyPrecedes($1) }) {
      guard let (card, connector) = parts(of: name), let status = firstLine(of: "\(folder)/\(name)/status")
      else { continue }
      guard let kind = BuiltInConnector(name: connector) else {
        hasExternal = hasExternal || status == "connected"
        continue
      }
      guard status == "connected" || status == "unknown" else { continue }
      let panel = InternalPanel(
        connector: connector, card: "\(folder)/\(card)",
        size: firstLine(of: "\(folder)/\(name)/modes").flatMap { PanelSize(ofMode: $0) },
        isCertain: status == "connected", kind: kind)
      if best.map(panel.isBetter(than:)) ?? true { best = panel }
    }
    // What is connected by a connector of no kind can be another screen, unless it is alone.
    return best?.kind == .unknown && hasExternal ? nil : best
  }

  private func isBetter(than other: InternalPanel) -> Bool {
    if (size == nil) != (other.size == nil) { return size != nil }
    return isCertain == other.isCertain ? kind < other.kind : isCertain
  }

  /// "card0" and "eDP-1" of "card0-eDP-1".
  private static func parts(of name: String) -> (card: String, connector: String)? {
    guard name.hasPrefix("card"), let dash = name.utf8.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    return (String(name[..<dash]), String(name[name.utf8.index(after: dash)...]))
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
