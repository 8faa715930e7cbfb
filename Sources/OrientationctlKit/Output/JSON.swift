// SPDX-License-Identifier: Apache-2.0

import Systemd

/// A JSON value (RFC 8259).
///
/// Objects keep the order of their members.
enum JSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Infinities and NaN become null, because JSON does not have them.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A name with its value.
  struct Member: Equatable {
    let name: String
    let value: JSON

    init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a string, or null from nil.
  init(_ text: String?) {
    self = text.map(JSON.string) ?? .null
  }

  /// Creates an array of three numbers.
  init(_ vector: SIMD3<Double>) {
    self = .array([.number(vector.x), .number(vector.y), .number(vector.z)])
  }

  /// The text, on one line.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.quoted(value)
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.name)):\($0.value.text)" }.joined(separator: ","))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    var rule = PrintableRule()
    for scalar in text.unicodeScalars {
      let isEscaped = rule.escapes(scalar)
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      // RFC 8259 requires this only for U+0000 to U+001F, but more characters can control a terminal or be drawn over other text.
      case _ where isEscaped: quoted += String(scalar).utf16.map(Self.escape).joined()
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
