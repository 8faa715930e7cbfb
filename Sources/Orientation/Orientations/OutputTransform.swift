// SPDX-License-Identifier: Apache-2.0

/// How a compositor turns its picture so that it is upright on the panel: `wl_output.transform` without the mirrored ones.
///
/// wl_output counts counterclockwise, for the picture; the device is turned in the opposite direction. On a portrait panel,
/// it is 90 with the device's left edge up (interface landscapeLeft), as mutter has it for iio-sensor-proxy's "left-up";
/// 180 with the top down; 270 with the right edge up (interface landscapeRight).
public enum OutputTransform: String, CaseIterable, Sendable, BitwiseCopyable {
  /// The interface has the panel's own upright.
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
  ///   - interface: what is to be upright; unknown is shown with the panel's own upright.
  ///   - natural: the orientation for which the panel needs no transform.
  public init(showing interface: InterfaceOrientation, natural: NaturalOrientation) {
    switch QuarterTurn(from: natural.interface, to: interface) {
    case .zero, nil: self = .normal
    case .counterclockwise: self = .quarter
    case .half: self = .half
    case .clockwise: self = .threeQuarters
    }
  }
}
