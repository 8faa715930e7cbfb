// SPDX-License-Identifier: Apache-2.0

import Orientation

extension DeviceOrientation {
  /// The name with its meaning, for people: "landscapeLeft, right edge up".
  var nameWithMeaning: String { meaning.map { "\(name), \($0)" } ?? name }
}

extension InterfaceOrientation {
  /// The name with how the device is held when this interface is upright, for people: "landscapeRight (right edge up)".
  var nameWithMeaning: String {
    // It has the same raw value.
    DeviceOrientation(rawValue: rawValue)?.meaning.map { "\(name) (\($0))" } ?? name
  }

  /// The paragraph on the names in the help texts of the commands that take them.
  static let help = """
    The names are those of interface orientations: \(InterfaceOrientationMask.all.namesWithMeaning.joined(separator: ", ")). \
    In parentheses is how the device is held when this interface is upright.
    """
}

extension InterfaceOrientationMask {
  /// The names with their meanings, in the order of `names`.
  var namesWithMeaning: [String] {
    InterfaceOrientation.allCases.filter { contains($0) }.map(\.nameWithMeaning)
  }
}
