// SPDX-License-Identifier: Apache-2.0

// A panel has its own upright, in which a picture from the graphics card is upright without a transform. The orientation of
// the device in that position is its natural orientation: portrait for most tablets, landscapeLeft for 2-in-1s and laptops.
// Some laptops have the panel of a tablet, mounted sideways: on a table they stand in another orientation, which has the same type.

/// The orientation of the device when its panel shows an untransformed picture upright: always one of the four upright orientations.
///
/// UIKit has no name for it, because for its devices it is always portrait; it is the natural orientation of Android's
/// Display and of the W3C's Screen Orientation.
public enum NaturalOrientation: String, CaseIterable, Sendable, BitwiseCopyable {
  /// The panel is higher than wide, as in a tablet.
  case portrait
  /// A portrait panel that is mounted upside down.
  case portraitUpsideDown
  /// The panel is wider than high, as in a laptop.
  case landscapeLeft
  /// A landscape panel that is mounted upside down.
  case landscapeRight

  /// The orientation of the device.
  public var device: DeviceOrientation { DeviceOrientation(name: rawValue) ?? .portrait }

  /// The interface that needs no transform; left and right are exchanged compared with the device's.
  public var interface: InterfaceOrientation { InterfaceOrientation(uprightOn: device) ?? .portrait }

  /// The orientation of a panel that shows this interface with this transform; nil if the interface is unknown.
  package init?(showing interface: InterfaceOrientation, by transform: OutputTransform) {
    let shows = { natural in OutputTransform(showing: interface, natural: natural) == transform }
    guard interface != .unknown, let natural = Self.allCases.first(where: shows) else { return nil }
    self = natural
  }

  /// How the device is held when its interface is turned on the screen by this much from the one of this orientation.
  public func turned(by turn: QuarterTurn) -> NaturalOrientation {
    Self.allCases.first { QuarterTurn(from: interface, to: $0.interface) == turn } ?? self
  }
}
