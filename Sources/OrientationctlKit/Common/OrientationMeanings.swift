// SPDX-License-Identifier: Apache-2.0

import Orientation

// The edges are those of the panel in its own upright, as a person sees it: on most 2-in-1s, whose panel is wider than high,
// landscapeLeft has the top edge up. As long as the panel's natural orientation is not known, it is taken for a portrait one.

extension DeviceOrientation {
  /// The name with its meaning, for people: "landscapeLeft, right edge up".
  func nameWithMeaning(on natural: NaturalOrientation?) -> String {
    meaning(on: natural ?? .portrait).map { "\(name), \($0)" } ?? name
  }
}

extension InterfaceOrientation {
  /// The name with how the device is held when this interface is upright, for people: "landscapeRight (right edge up)".
  func nameWithMeaning(on natural: NaturalOrientation?) -> String {
    // It has the same raw value.
    DeviceOrientation(rawValue: rawValue)?.meaning(on: natural ?? .portrait).map { "\(name) (\($0))" } ?? name
  }

  /// The paragraph on the names in the help texts of the commands that take them.
  static let help = """
    The names are those of interface orientations: \
    \(InterfaceOrientationMask.all.namesWithMeaning(on: .portrait).joined(separator: ", ")). \
    In parentheses is how the device is held when this interface is upright, if its panel is higher than wide. Most 2-in-1s \
    have one that is wider than high: there, landscapeRight is the usual one, with the top edge up.
    """
}

extension InterfaceOrientationMask {
  /// The names with their meanings, in the order of `names`.
  func namesWithMeaning(on natural: NaturalOrientation?) -> [String] {
    InterfaceOrientation.allCases.filter { contains($0) }.map { $0.nameWithMeaning(on: natural) }
  }
}
