// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport

/// The value of a D-Bus property, in the types that the Device interface has.
enum Value: Equatable {
  case boolean(Bool)
  case number(UInt32)
  case double(Double)
  case text(String)
  case texts([String])
  /// The value of InterfaceOrientationHolds: "number mask application reason" of each, and whether it waits.
  case holds([String])

  /// Reads a variant.
  init(from message: borrowing Message) throws(BusError) {
    self = try message.readAnyVariant { type, message throws(BusError) in
      switch type {
      case "b": return .boolean(try message.readBool())
      case "u": return .number(try message.readUInt32())
      case "d": return .double(try message.readDouble())
      case "as":
        var texts: [String] = []
        try message.readArray(of: "s") { message throws(BusError) in texts.append(try message.readString()) }
        return .texts(texts)
      case "t":
        _ = try message.readUInt64()
        return .text("a time")
      case "aa{sv}":
        var holds: [String] = []
        try message.readArray(of: "a{sv}") { message throws(BusError) in
          let hold = try Value.dictionary(from: message)
          let words = ["hold", "orientations", "application_id", "reason"].map { hold[$0]?.word ?? "missing" }
          holds.append(words.joined(separator: " ") + (hold["waits"] == true ? " (waits)" : ""))
        }
        return .holds(holds)
      default: return .text(try message.readString())
      }
    }
  }

  /// A number or a text.
  private var word: String {
    switch self {
    case .number(let number): "\(number)"
    case .text(let text): text
    default: "\(self)"
    }
  }

  /// Reads an `a{sv}`.
  static func dictionary(from message: borrowing Message) throws(BusError) -> [String: Value] {
    var values: [String: Value] = [:]
    try message.readArray(of: "{sv}") { message throws(BusError) in
      try message.read(.dictionaryEntry, "sv") { message throws(BusError) in
        let name = try message.readString()
        let value = try Value(from: message)
        // Sets are compared as UIKit's masks.
        if case .texts(let names) = value, name.lowercased().hasSuffix("orientations") {
          values[name] = .number(InterfaceOrientationMask(names: names).rawValue)
        } else {
          values[name] = value
        }
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
