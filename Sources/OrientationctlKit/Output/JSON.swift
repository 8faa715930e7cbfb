// SPDX-License-Identifier: Apache-2.0

import Following

/// A JSON value (RFC 8259).
///
/// Objects keep the order of their members. It is spelled `Sendable` because Swift 6.2 cannot derive this over the tuples of its members.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Infinities and NaN become null, because JSON does not have them.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// A name with its value.
  typealias Member = (name: String, value: JSON)

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
    case .string(let value): value.quotedInJSON
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.name.quotedInJSON):\($0.value.text)" }.joined(separator: ","))}"
    }
  }
}
