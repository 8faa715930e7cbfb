// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The value of a D-Bus property, in the types that the Device interface has.
enum Value: Equatable {
  case boolean(Bool)
  case number(UInt32)
  case double(Double)
  case text(String)
  case texts([String])
  /// The value of InterfaceOrientationHolds: "number mask application reason" of each.
  case holds([String])

  /// Reads a variant.
  init(from message: borrowing Message) throws(BusError) {
    self = try message.readVariant { type, message throws(BusError) in
      switch type {
      case "b": return .boolean(try message.readBool())
      case "u": return .number(try message.readUInt32())
      case "d": return .double(try message.readDouble())
      case "as":
        var texts: [String] = []
        try message.readArray(of: "s") { message throws(BusError) in texts.append(try message.readString()) }
        return .texts(texts)
      case "a(uuss)":
        var holds: [String] = []
        try message.readArray(of: "(uuss)") { message throws(BusError) in
          holds.append(
            try message.read(.structure, "uuss") { hold throws(BusError) in
              "\(try hold.readUInt32()) \(try hold.readUInt32()) \(try hold.readString()) \(try hold.readString())"
            })
        }
        return .holds(holds)
      default: return .text(try message.readString())
      }
    }
  }

  /// Reads an `a{sv}`.
  static func dictionary(from message: borrowing Message) throws(BusError) -> [String: Value] {
    var values: [String: Value] = [:]
    try message.readArray(of: "{sv}") { message throws(BusError) in
      try message.read(.dictionaryEntry, "sv") { message throws(BusError) in
        let name = try message.readString()
        values[name] = try Value(from: message)
      }
    }
    return values
  }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: UInt32) { self = .number(value) }
  init(floatLiteral value: Double) { self = .double(value) }
  init(stringLiteral value: String) { self = .text(value) }
}
