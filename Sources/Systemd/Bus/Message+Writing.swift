// SPDX-License-Identifier: Apache-2.0

import CSystemd

// Every append throws BusError if the message has been sent, or if the value does not fit the open container.
extension Message {
  /// Appends a `b`.
  public func append(_ value: Bool) throws(BusError) {
    // sd_bus_message_append_basic expects a 32-bit integer, as on the wire.
    try append(SD_BUS_TYPE_BOOLEAN, value ? 1 : 0 as CInt)
  }

  /// Appends a `y`.
  public func append(_ value: UInt8) throws(BusError) { try append(SD_BUS_TYPE_BYTE, value) }

  /// Appends an `i`.
  public func append(_ value: Int32) throws(BusError) { try append(SD_BUS_TYPE_INT32, value) }

  /// Appends a `u`.
  public func append(_ value: UInt32) throws(BusError) { try append(SD_BUS_TYPE_UINT32, value) }

  /// Appends an `x`.
  public func append(_ value: Int64) throws(BusError) { try append(SD_BUS_TYPE_INT64, value) }

  /// Appends a `t`.
  public func append(_ value: UInt64) throws(BusError) { try append(SD_BUS_TYPE_UINT64, value) }

  /// Appends a `d`.
  public func append(_ value: Double) throws(BusError) { try append(SD_BUS_TYPE_DOUBLE, value) }

  /// Appends an `s`.
  public func append(_ value: String) throws(BusError) { try append(SD_BUS_TYPE_STRING, text: value) }

  /// Appends an `o`.
  public func append(objectPath: String) throws(BusError) {
    try append(SD_BUS_TYPE_OBJECT_PATH, text: objectPath)
  }

  /// Appends an `as`.
  public func append(_ values: [String]) throws(BusError) {
    try appendArray(of: "s") { message throws(BusError) in
      for value in values { try message.append(value) }
    }
  }

  /// Appends a structure.
  ///
  /// - Parameters:
  ///   - contents: The types of its fields, such as `ddd`.
  ///   - body: Appends the fields.
  /// - Throws: `BusError` if the message has been sent; or what the body throws.
  public func appendStruct(
    _ contents: String, _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try append(.structure, contents, body)
  }

  /// Appends an array.
  ///
  /// - Parameters:
  ///   - element: The type of an element, such as `s` or `{sv}`.
  ///   - body: Appends the elements.
  /// - Throws: `BusError` if the message has been sent; or what the body throws.
  public func appendArray(
    of element: String, _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try append(.array, element, body)
  }

  /// Appends an entry to an array of dictionary entries.
  ///
  /// - Parameters:
  ///   - contents: The types of key and value, such as `sv`.
  ///   - body: Appends key and value.
  /// - Throws: `BusError` if the message has been sent; or what the body throws.
  public func appendDictionaryEntry(
    _ contents: String, _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try append(.dictionaryEntry, contents, body)
  }

  /// Appends a variant.
  ///
  /// - Parameters:
  ///   - contents: The type of the value in it.
  ///   - body: Appends the value.
  /// - Throws: `BusError` if the message has been sent; or what the body throws.
  public func appendVariant(
    _ contents: String, _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try append(.variant, contents, body)
  }

  private func append(
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
enum Container: CChar {
  /// `a`.
  case array = 0x61
  /// `r`.
  case structure = 0x72
  /// `v`.
  case variant = 0x76
  /// `e`.
  case dictionaryEntry = 0x65
}
