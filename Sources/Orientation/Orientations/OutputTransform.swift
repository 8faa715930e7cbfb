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
    let clockwise = QuarterTurn(from: natural.interface, to: interface) ?? .zero
    self.init(quarters: -clockwise.quarters)
  }

  /// The transform that turns a picture counterclockwise by so many quarters; a whole turn is none.
  package init(quarters: Int) { self = Self.allCases[quarters & 3] }

  /// By how many quarters it turns the picture, 0 to 3: the number that wl_output has for it.
  package var quarters: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
