// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// The natural orientation of the device, and the reason.
package struct DetectedNaturalOrientation: Equatable, Sendable {
  /// The natural orientation.
  package let orientation: NaturalOrientation
  /// The reason, for display: "panel eDP-1 is 1920x1200: landscape".
  package let reason: String
  /// Whether portrait is only assumed, because there is no information yet: a graphics driver can load after the daemon.
  package let isAssumed: Bool
  /// The orientation in which the device stands as a laptop; nil if that is not known.
  package let laptop: DetectedLaptopOrientation?

  /// Uses the chosen orientation; otherwise the internal panel's preferred mode decides.
  ///
  /// A panel that is wider than high is a landscape panel, whose upright is landscapeLeft. Every other panel, and a device
  /// without one, is portrait.
  ///
  /// - Parameters:
  ///   - choice: the value of `NaturalOrientation=`.
  ///   - laptop: the value of `LaptopOrientation=`.
  ///   - sysfs: the mount point of sysfs.
  package init(
    by choice: NaturalOrientation?, laptop: NaturalOrientation? = nil, sysfs: String = "/sys"
  ) {
    let panel = InternalPanel.connected(sysfs: sysfs)
    (orientation, reason, isAssumed) = Self.natural(by: choice, of: panel)
    self.laptop = DetectedLaptopOrientation(by: laptop, of: panel, natural: orientation, sysfs: sysfs)
  }

  /// The orientation in which the interface starts, and which it keeps in laptop mode.
  package var home: NaturalOrientation { laptop?.orientation ?? orientation }

  private static func natural(
    by choice: NaturalOrientation?, of panel: InternalPanel?
  ) -> (NaturalOrientation, reason: String, isAssumed: Bool) {
    if let choice { return (choice, "configured", false) }
    guard let panel else { return (.portrait, "no internal panel: portrait", true) }
    guard let size = panel.size else {
      return (.portrait, "panel \(panel.connector) has no mode: portrait", true)
    }
    let isLandscape = size.width > size.height
    let shape = isLandscape ? "landscape" : "portrait"
    // The firmware's picture on a connector of no kind need not have the panel's shape; the graphics driver comes later.
    return (
      isLandscape ? .landscapeLeft : .portrait, "panel \(panel.connector) is \(size): \(shape)",
      panel.kind == .unknown
    )
  }
}

extension DetectedNaturalOrientation: CustomStringConvertible {
  /// "landscapeLeft (panel eDP-1 is 1920x1200: landscape)".
  package var description: String { "\(orientation.device.name) (\(reason))" }
}
