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

extension Int32: PropertyValue {
  package static var type: String { "i" }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(SD_BUS_TYPE_INT32, self)
  }
}

extension UInt32: MessageValue {
  package static var type: String { "u" }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(SD_BUS_TYPE_UINT32, self)
  }
  package init(from message: borrowing Message) throws(BusError) { self = try message.readUInt32() }
}

extension UInt64: PropertyValue {
  package static var type: String { "t" }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(SD_BUS_TYPE_UINT64, self)
  }
}

extension Double: MessageValue {
  package static var type: String { "d" }
  package func append(to message: borrowing Message) throws(BusError) {
    try message.append(SD_BUS_TYPE_DOUBLE, self)
  }
  package init(from message: borrowing Message) throws(BusError) { self = try message.readDouble() }
}

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
