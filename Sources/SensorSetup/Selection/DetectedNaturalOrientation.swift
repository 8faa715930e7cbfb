// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// The natural orientation of the device, and the reason.
public struct DetectedNaturalOrientation: Equatable, Sendable {
  /// The natural orientation.
  public let orientation: NaturalOrientation
  /// The reason, for display: "panel eDP-1 is 1920x1200: landscape".
  public let reason: String
  /// Whether portrait is only assumed, because there is no information yet: a graphics driver can load after the daemon.
  public let isAssumed: Bool

  /// Uses the chosen orientation; otherwise the internal panel's preferred mode decides.
  ///
  /// A panel that is wider than high is a landscape panel, whose upright is landscapeLeft. Every other panel, and a device
  /// without one, is portrait.
  ///
  /// - Parameters:
  ///   - choice: the value of `NaturalOrientation=`.
  ///   - sysfs: the mount point of sysfs.
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
      reason = "panel \(panel.connector) has no mode: portrait"
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
