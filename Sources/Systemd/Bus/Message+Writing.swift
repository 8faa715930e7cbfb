// SPDX-License-Identifier: Apache-2.0

import CSystemd

// Every append throws BusError if the message has been sent, or if the value does not fit the open container.
extension Message {
  /// Appends a `b`.
  package func append(_ value: Bool) throws(BusError) {
    // sd_bus_message_append_basic expects a 32-bit integer, as on the wire.
    try append(SD_BUS_TYPE_BOOLEAN, value ? 1 : 0 as CInt)
  }

  /// Appends an `i`.
  package func append(_ value: Int32) throws(BusError) { try append(SD_BUS_TYPE_INT32, value) }

  /// Appends a `u`.
  package func append(_ value: UInt32) throws(BusError) { try append(SD_BUS_TYPE_UINT32, value) }

  /// Appends a `t`.
  package func append(_ value: UInt64) throws(BusError) { try append(SD_BUS_TYPE_UINT64, value) }

  /// Appends a `d`.
  package func append(_ value: Double) throws(BusError) { try append(SD_BUS_TYPE_DOUBLE, value) }

  /// Appends an `s`.
  package func append(_ value: String) throws(BusError) { try append(SD_BUS_TYPE_STRING, text: value) }

  /// Appends an `o`.
  package func append(objectPath: String) throws(BusError) {
    try append(SD_BUS_TYPE_OBJECT_PATH, text: objectPath)
  }

  /// Appends an `as`.
  package func append(_ values: [String]) throws(BusError) {
    try append(.array, "s") { message throws(BusError) in
      for value in values { try message.append(value) }
    }
  }

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

  private func append<Value: BitwiseCopyable>(_ type: TypeCode, _ value: Value) throws(BusError) {
    let result = withUnsafePointer(to: value) { sd_bus_message_append_basic(handle, CChar(type), $0) }
    try BusError.check(result, "sd_bus_message_append_basic")
  }

  private func append(_ type: TypeCode, text: String) throws(BusError) {
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
