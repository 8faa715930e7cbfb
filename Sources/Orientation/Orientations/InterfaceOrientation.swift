// SPDX-License-Identifier: Apache-2.0

/// The orientation of what the screen shows: UIKit's UIInterfaceOrientation, with its raw values and names.
///
/// The landscapes are swapped against the device's: when the device turns left, the interface must turn right
/// to stay upright. Device landscapeLeft and interface landscapeRight therefore share the raw value 3.
public enum InterfaceOrientation: UInt32, CaseIterable, Sendable, BitwiseCopyable {
  /// Not known.
  case unknown = 0
  /// The top of the interface at the top of the screen.
  case portrait = 1
  /// The top of the interface at the bottom of the screen.
  case portraitUpsideDown = 2
  /// The top of the interface at the right edge of the screen.
  case landscapeRight = 3
  /// The top of the interface at the left edge of the screen.
  case landscapeLeft = 4

  /// The name as UIKit spells it, such as "landscapeRight".
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .portrait: "portrait"
    case .portraitUpsideDown: "portraitUpsideDown"
    case .landscapeRight: "landscapeRight"
    case .landscapeLeft: "landscapeLeft"
    }
  }

  /// Finds the orientation that UIKit spells so; nil where there is none.
  public init?(name: String) {
    for orientation in Self.allCases where orientation.name == name {
      self = orientation
      return
    }
    return nil
  }

  /// The interface that stands upright on a device held so; nil for a flat or unknown device.
  public init?(uprightOn device: DeviceOrientation) {
    switch device {
    case .portrait: self = .portrait
    case .portraitUpsideDown: self = .portraitUpsideDown
    case .landscapeLeft: self = .landscapeRight
    case .landscapeRight: self = .landscapeLeft
    case .unknown, .faceUp, .faceDown: return nil
    }
  }

  /// Whether the interface is in either portrait orientation.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// Whether the interface is in either landscape orientation.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}
