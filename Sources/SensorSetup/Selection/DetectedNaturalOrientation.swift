// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// Which natural orientation the device has, and why.
public struct DetectedNaturalOrientation: Equatable, Sendable {
  /// The natural orientation.
  public let orientation: NaturalOrientation
  /// Why, for people: "panel eDP-1 is 1920x1200: landscape".
  public let reason: String
  /// Whether nothing said so, and portrait is assumed until something does: a graphics driver can come after the daemon.
  public let isAssumed: Bool

  /// Takes the one that was chosen; else the internal panel's preferred mode decides.
  ///
  /// Wider than high is a landscape panel, whose upright is landscapeLeft. Every other panel, and a device without
  /// one, is portrait.
  ///
  /// - Parameters:
  ///   - choice: the value of `NaturalOrientation=`.
  ///   - sysfs: where sysfs is mounted.
  public init(by choice: NaturalOrientationChoice, sysfs: String = "/sys") {
    if let chosen = choice.orientation {
      (orientation, reason, isAssumed) = (chosen, "configured", false)
      return
    }
    guard let panel = InternalPanel.connected(sysfs: sysfs) else {
      (orientation, reason, isAssumed) = (.portrait, "no internal panel: portrait", true)
      return
    }
    guard let size = panel.size else {
      (orientation, isAssumed) = (.portrait, true)
      reason = "panel \(panel.connector) names no mode: portrait"
      return
    }
    let isLandscape = size.width > size.height
    isAssumed = false
    orientation = isLandscape ? .landscapeLeft : .portrait
    reason = "panel \(panel.connector) is \(size): \(isLandscape ? "landscape" : "portrait")"
  }
}

extension DetectedNaturalOrientation: CustomStringConvertible {
  /// "landscapeLeft (panel eDP-1 is 1920x1200: landscape)".
  public var description: String { "\(orientation.device.name) (\(reason))" }
}
