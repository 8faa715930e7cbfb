// SPDX-License-Identifier: Apache-2.0

// This folder: the orientation of the device (DeviceOrientation), and of what the screen shows (InterfaceOrientation); the
// orientation of the device when its panel stands upright (NaturalOrientation); and the names of compositors for it
// (OutputTransform). QuarterTurn is the difference of two orientations.

/// The physical orientation of the device: UIKit's UIDeviceOrientation, with its raw values and names.
public enum DeviceOrientation: UInt32, CaseIterable, Sendable, BitwiseCopyable {
  /// Not known: there is no subscriber, or, unless the lock holds one, there is no sensor, nothing is decided yet, or the sensor was lost.
  case unknown = 0
  /// Held upright, the top of the screen up.
  case portrait = 1
  /// Held upright, the top of the screen down.
  case portraitUpsideDown = 2
  /// Held upright, the right edge of the screen up; of one that is wider than high, as on most 2-in-1s, the top.
  case landscapeLeft = 3
  /// Held upright, the left edge of the screen up.
  case landscapeRight = 4
  /// Lying flat, the screen up.
  case faceUp = 5
  /// Lying flat, the screen down.
  case faceDown = 6

  /// The name in UIKit, such as "landscapeLeft".
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .portrait: "portrait"
    case .portraitUpsideDown: "portraitUpsideDown"
    case .landscapeLeft: "landscapeLeft"
    case .landscapeRight: "landscapeRight"
    case .faceUp: "faceUp"
    case .faceDown: "faceDown"
    }
  }

  /// Creates the orientation with this name in UIKit; nil if there is none.
  public init?(name: String) {
    guard let orientation = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = orientation
  }

  /// Whether the device is held upright in either portrait orientation.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

  /// Whether the device is held upright in either landscape orientation.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

  /// Whether the device lies flat, the screen up or down: an interface then stays as it is.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }

  /// Whether an interface can follow this orientation: the four upright ones.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}

extension DeviceOrientation {
  /// The direction that is up in this orientation, in the device's axes; nil for unknown.
  package var up: SIMD3<Double>? {
    switch self {
    case .portrait: SIMD3(0, 1, 0)
    case .portraitUpsideDown: SIMD3(0, -1, 0)
    case .landscapeLeft: SIMD3(1, 0, 0)
    case .landscapeRight: SIMD3(-1, 0, 0)
    case .faceUp: SIMD3(0, 0, 1)
    case .faceDown: SIMD3(0, 0, -1)
    case .unknown: nil
    }
  }
}

extension DeviceOrientation {
  /// What the name means, for people; nil for unknown.
  package var meaning: String? {
    switch self {
    case .unknown: nil
    case .portrait: "top edge up"
    case .portraitUpsideDown: "top edge down"
    case .landscapeLeft: "right edge up"
    case .landscapeRight: "left edge up"
    case .faceUp: "screen up"
    case .faceDown: "screen down"
    }
  }

  /// What is up, for people, by the edges of the panel in its own upright, as the poses of a calibration name them.
  ///
  /// - Parameter natural: the orientation of the device when the panel is upright.
  /// - Returns: words such as "top edge up"; nil for unknown.
  package func meaning(on natural: NaturalOrientation) -> String? {
    guard let interface = InterfaceOrientation(uprightOn: self),
      let turn = QuarterTurn(from: natural.interface, to: interface)
    else { return meaning }
    return NaturalOrientation.portrait.turned(by: turn).device.meaning
  }
}
