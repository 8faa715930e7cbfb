// SPDX-License-Identifier: Apache-2.0

// A panel has an upright of its own: what the graphics card shows untransformed stands on it the right way up. How the device
// is held then is its natural orientation: portrait for most tablets, landscapeLeft for 2-in-1s and laptops.

/// How the device is held when its panel stands by its own upright: always one of the four upright orientations.
///
/// UIKit has no name for it, as its devices are all portrait; it is the natural orientation of Android's Display and of
/// the W3C's Screen Orientation.
public enum NaturalOrientation: String, CaseIterable, Sendable, BitwiseCopyable {
  /// The panel is higher than wide: a tablet's.
  case portrait
  /// A portrait panel that is built in top down.
  case portraitUpsideDown
  /// The panel is wider than high: a laptop's.
  case landscapeLeft
  /// A landscape panel that is built in top down.
  case landscapeRight

  /// How the device is held, as UIDeviceOrientation has it.
  public var device: DeviceOrientation {
    switch self {
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeLeft: .landscapeLeft
    case .landscapeRight: .landscapeRight
    }
  }

  /// The interface that is shown untransformed; its landscapes are swapped against the device's.
  public var interface: InterfaceOrientation {
    switch self {
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeLeft: .landscapeRight
    case .landscapeRight: .landscapeLeft
    }
  }
}

/// Where the natural orientation is taken from: the value of `NaturalOrientation=`.
public enum NaturalOrientationChoice: String, CaseIterable, Sendable, BitwiseCopyable {
  /// From the shape of the internal panel.
  case auto
  /// It is portrait.
  case portrait
  /// It is portraitUpsideDown.
  case portraitUpsideDown
  /// It is landscapeLeft.
  case landscapeLeft
  /// It is landscapeRight.
  case landscapeRight

  /// The orientation that was chosen; nil where the panel decides.
  public var orientation: NaturalOrientation? {
    switch self {
    case .auto: nil
    case .portrait: .portrait
    case .portraitUpsideDown: .portraitUpsideDown
    case .landscapeLeft: .landscapeLeft
    case .landscapeRight: .landscapeRight
    }
  }
}
