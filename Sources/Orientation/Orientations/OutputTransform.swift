// SPDX-License-Identifier: Apache-2.0

/// How a compositor turns what it draws, so that it stands upright on the panel: `wl_output.transform` without the mirrored ones.
///
/// wl_output counts counterclockwise, as the picture turns; the device has been turned the other way.
/// On a portrait panel, with the device's left edge up (interface landscapeLeft) it is 90, as mutter has it for
/// iio-sensor-proxy's "left-up"; top down 180; right edge up (interface landscapeRight) 270.
public enum OutputTransform: String, CaseIterable, Sendable, BitwiseCopyable {
  /// The interface stands by the panel's own upright.
  case normal
  /// The device is turned by a quarter clockwise from its natural orientation.
  case quarter = "90"
  /// The device is turned by half.
  case half = "180"
  /// The device is turned by three quarters clockwise from its natural orientation.
  case threeQuarters = "270"

  /// The transform that shows an interface on a panel.
  ///
  /// - Parameters:
  ///   - interface: what is to stand upright; unknown is shown by the panel's own upright.
  ///   - natural: the interface for which the panel needs no transform.
  public init(showing interface: InterfaceOrientation, natural: NaturalOrientation) {
    switch QuarterTurn(from: natural.interface, to: interface) {
    case .zero, nil: self = .normal
    case .counterclockwise: self = .quarter
    case .half: self = .half
    case .clockwise: self = .threeQuarters
    }
  }
}
