// SPDX-License-Identifier: Apache-2.0

// This folder: how orientationctl and its other programs write what programs read, and lines that fit a terminal (Prose). In text from
// other programs and from drivers, control characters and line breaks are escaped, so it cannot control a terminal or begin a line.

import Systemd

extension String {
  /// The text in XML, or in Pango's markup: both begin elements with `<` and entities with `&`.
  package var inMarkup: String {
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

  /// The text in JSON, between two `"`.
  package var quotedInJSON: String {
    var quoted = "\""
    var rule = PrintableRule()
    for scalar in unicodeScalars {
      let isEscaped = rule.escapes(scalar)
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      // RFC 8259 requires this only for U+0000 to U+001F, but more characters can control a terminal or be drawn over other text.
      case _ where isEscaped: for unit in String(scalar).utf16 { quoted += Self.escape(unit) }
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }
}
