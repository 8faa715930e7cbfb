// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// A value that has a D-Bus type.
package protocol PropertyValue: Equatable {
  /// Its D-Bus type, such as `s`.
  static var type: String { get }

  /// Appends it to a message.
  ///
  /// - Throws: `BusError` if the message has been sent, or if the value does not fit the open container.
  func append(to message: borrowing Message) throws(BusError)
}

/// One that can also be read.
package protocol MessageValue: PropertyValue {
  /// Reads it, the next argument of a message.
  ///
  /// - Throws: `BusError`: InvalidArgs if the next argument has another type or is missing.
  init(from message: borrowing Message) throws(BusError)
}

extension Bool: MessageValue {
  package static var type: String { "b" }
  // sd_bus_message_append_basic expects a 32-bit integer, as on the wire.
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(SD_BUS_TYPE_BOOLEAN, self ? 1 : 0 as CInt)
  }
  package init(from message: borrowing Message) throws(BusError) { self = try message.readBool() }
}

/// A number, of which sd-bus copies the bytes.
package protocol MessageNumber: MessageValue, BitwiseCopyable, ExpressibleByIntegerLiteral {
  /// libsystemd's SD_BUS_TYPE_ constant, which is the ASCII character of its type.
  static var typeCode: Int { get }
}

extension MessageNumber {
  package static var type: String { String(UnicodeScalar(UInt8(typeCode))) }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(Self.typeCode, self)
  }
  package init(from message: borrowing Message) throws(BusError) { self = try message.read(Self.typeCode, 0) }
}

extension Int32: MessageNumber { package static var typeCode: Int { SD_BUS_TYPE_INT32 } }
extension UInt32: MessageNumber { package static var typeCode: Int { SD_BUS_TYPE_UINT32 } }
extension UInt64: MessageNumber { package static var typeCode: Int { SD_BUS_TYPE_UINT64 } }
extension Double: MessageNumber { package static var typeCode: Int { SD_BUS_TYPE_DOUBLE } }

extension String: MessageValue {
  package static var type: String { "s" }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(SD_BUS_TYPE_STRING, text: self)
  }
  package init(from message: borrowing Message) throws(BusError) { self = try message.readString() }
}

extension Array: PropertyValue where Element: PropertyValue {
  package static var type: String { "a" + Element.type }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(.array, Element.type) { array throws(BusError) in
      for element in self { try element.append(to: array) }
    }
  }
}

extension Array: MessageValue where Element: MessageValue {
  package init(from message: borrowing Message) throws(BusError) {
    var elements: [Element] = []
    try message.readArray(of: Element.type) { array throws(BusError) in
      elements.append(try Element(from: array))
    }
    self = elements
  }
}
