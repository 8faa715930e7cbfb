// SPDX-License-Identifier: Apache-2.0

import CSystemd

// Every append throws BusError if the message has been sent, or if the value does not fit the open container.
extension Message {
  /// Appends a value.
  package func append<Value: PropertyValue>(_ value: Value) throws(BusError) { try value.append(to: self) }

  /// Appends a container.
  ///
  /// - Parameters:
  ///   - container: Which.
  ///   - contents: The types of a structure's fields, such as `ddd`, of an entry's key and value, such as `sv`, or of the value in a
  ///     variant; of an array, that of an element, such as `{sv}`.
  ///   - body: Appends all that is in it.
  /// - Throws: `BusError` if the message has been sent; or what the body throws.
  package func append(
    _ container: Container, _ contents: String, _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try BusError.check(
      sd_bus_message_open_container(handle, container.rawValue, contents), "sd_bus_message_open_container")
    try body(self)
    try BusError.check(sd_bus_message_close_container(handle), "sd_bus_message_close_container")
  }

  /// Appends a basic type, whose bytes sd-bus copies.
  func append<Value: BitwiseCopyable>(_ type: TypeCode, _ value: Value) throws(BusError) {
    let result = withUnsafePointer(to: value) { sd_bus_message_append_basic(handle, CChar(type), $0) }
    try BusError.check(result, "sd_bus_message_append_basic")
  }

  /// Appends a basic type that is a text.
  func append(_ type: TypeCode, text: String) throws(BusError) {
    let result = text.withCString { sd_bus_message_append_basic(handle, CChar(type), $0) }
    try BusError.check(result, "sd_bus_message_append_basic")
  }
}

/// libsystemd's SD_BUS_TYPE_ constants, which are ASCII characters.
typealias TypeCode = Int

/// The containers by their type codes in sd-bus calls. (A signature has brackets for structures and entries instead.)
package enum Container: CChar, Sendable {
  /// `a`.
  case array = 0x61
  /// `r`.
  case structure = 0x72
  /// `v`, whose contents have one type.
  case variant = 0x76
  /// `e`, in an array only.
  case dictionaryEntry = 0x65
}
