// SPDX-License-Identifier: Apache-2.0

/// The orientation of what the screen shows: UIKit's UIInterfaceOrientation, with its raw values and names.
///
/// Left and right are exchanged compared with the device's: when the device turns left, the interface must turn right to
/// stay upright. So device landscapeLeft and interface landscapeRight have the same raw value, 3.
public enum InterfaceOrientation: UInt32, CaseIterable, Sendable, BitwiseCopyable {
  /// Not known.
  case unknown = 0
  /// The top of the interface is at the top of the screen.
  case portrait = 1
  /// The top of the interface is at the bottom of the screen.
  case portraitUpsideDown = 2
  /// The top of the interface is at the right edge of the screen.
  case landscapeRight = 3
  /// The top of the interface is at the left edge of the screen.
  case landscapeLeft = 4

  /// The name in UIKit, such as "landscapeRight".
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .portrait: "portrait"
    case .portraitUpsideDown: "portraitUpsideDown"
    case .landscapeRight: "landscapeRight"
    case .landscapeLeft: "landscapeLeft"
    }
  }

  /// Creates the orientation with this name in UIKit; nil if there is none.
  public init?(name: String) {
    guard let orientation = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = orientation
  }

  /// The interface that is upright on a device in this orientation; nil for a flat or unknown device.
  public init?(uprightOn device: DeviceOrientation) {
    // It has the same raw value.
    guard device.isValidInterfaceOrientation else { return nil }
    self.init(rawValue: device.rawValue)
  }

  /// Whether the interface is in either portrait orientation.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// Whether the interface is in either landscape orientation.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}
