// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text in XML, or in Pango's markup: both begin elements with `<` and entities with `&`.
  var inMarkup: String {
    var escaped = ""
    // As a Character, < with a mark behind it would not be <, but it is for XML.
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
