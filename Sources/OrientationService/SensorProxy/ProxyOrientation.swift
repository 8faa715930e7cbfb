// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Which edge of the panel is up, in iio-sensor-proxy's words: the values of its `AccelerometerOrientation`.
///
/// The edges are the panel's own: on a panel that is at home in landscape, "normal" is a device in landscapeLeft.
enum ProxyOrientation: String, CaseIterable, Sendable, BitwiseCopyable {
  /// Not known.
  case undefined
  /// The top edge.
  case normal
  /// The bottom edge.
  case bottomUp = "bottom-up"
  /// The left edge.
  case leftUp = "left-up"
  /// The right edge.
  case rightUp = "right-up"

  /// The edge that is up on a device held so; nil for a flat or unknown device, for which it stays what it was.
  ///
  /// - Parameters:
  ///   - device: how the device is held.
  ///   - natural: how it is held when the panel shows an untransformed picture upright.
  init?(on device: DeviceOrientation, natural: NaturalOrientation) {
    guard let interface = InterfaceOrientation(uprightOn: device) else { return nil }
    // The interface turns against the device.
    switch QuarterTurn(from: natural.interface, to: interface) {
    case .zero: self = .normal
    case .counterclockwise: self = .leftUp
    case .half: self = .bottomUp
    case .clockwise: self = .rightUp
    case nil: return nil
    }
  }
}
