// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

// Arguments are read in their order. Every read throws BusError (InvalidArgs) if the next argument has another type, or
// if there is none.
extension Message {
  /// Reads a `b`.
  package func readBool() throws(BusError) -> Bool { try read(SD_BUS_TYPE_BOOLEAN, 0 as CInt) != 0 }

  /// Reads a `u`.
  package func readUInt32() throws(BusError) -> UInt32 { try read(SD_BUS_TYPE_UINT32, 0) }

  /// Reads a `t`.
  package func readUInt64() throws(BusError) -> UInt64 { try read(SD_BUS_TYPE_UINT64, 0) }

  /// Reads a `d`.
  package func readDouble() throws(BusError) -> Double { try read(SD_BUS_TYPE_DOUBLE, 0) }

  /// Reads an `s`.
  package func readString() throws(BusError) -> String { try readText(SD_BUS_TYPE_STRING) }

  /// Reads an `o`.
  package func readObjectPath() throws(BusError) -> String { try readText(SD_BUS_TYPE_OBJECT_PATH) }

  /// Reads an `h`.
  ///
  /// - Returns: A duplicate, which belongs to the caller. The message keeps its own descriptor.
  package func readFileDescriptor() throws(BusError) -> OwnedFileDescriptor {
    let descriptor = try read(SD_BUS_TYPE_UNIX_FD, CInt(-1))
    let own = duplicateDescriptor(descriptor)
    guard own >= 0 else { throw BusError(code: errno, operation: "fcntl(F_DUPFD_CLOEXEC)") }
    return OwnedFileDescriptor(adopting: own)
  }

  /// Reads an `as`.
  package func readStrings() throws(BusError) -> [String] { try [String](from: self) }

  /// Reads a container.
  ///
  /// - Parameters:
  ///   - container: Which; of an array, the body has to read all elements, as ``readArray(of:_:)`` does.
  ///   - contents: The types of a structure's fields, of an entry's key and value, or of the value in a variant.
  ///   - body: Reads all that is in it.
  /// - Returns: What the body returns.
  /// - Throws: `BusError`: InvalidArgs if the next argument has another type or is missing; or what the body throws.
  package func read<Value>(
    _ container: Container, _ contents: String, _ body: (borrowing Message) throws(BusError) -> Value
  ) throws(BusError) -> Value {
    try found(
      sd_bus_message_enter_container(handle, container.rawValue, contents), "sd_bus_message_enter_container")
    let value = try body(self)
    try BusError.check(sd_bus_message_exit_container(handle), "sd_bus_message_exit_container")
    return value
  }

  /// Reads an array.
  ///
  /// - Parameters:
  ///   - element: The type of an element.
  ///   - body: Reads one element; called for each.
  /// - Throws: `BusError`: InvalidArgs if the next argument has another type or is missing; or what the body throws.
  package func readArray(
    of element: String, _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try read(.array, element) { message throws(BusError) in
      while try !message.isAtEnd() { try body(message) }
    }
  }

  /// Reads a variant with a value of this type.
  ///
  /// - Throws: `BusError`: InvalidArgs if it has a value of another type, or is missing.
  package func readVariant<Value: MessageValue>() throws(BusError) -> Value {
    try read(.variant, Value.type) { value throws(BusError) in try Value(from: value) }
  }

  /// Skips arguments.
  ///
  /// - Parameter signature: Their types; nil skips one argument of any type.
  /// - Throws: `BusError`: InvalidArgs if the next arguments have other types or are missing.
  package func skip(_ signature: String? = nil) throws(BusError) {
    try BusError.check(sd_bus_message_skip(handle, signature), "sd_bus_message_skip")
  }

  /// Whether the open container, or else the message, has no more to read.
  package func isAtEnd() throws(BusError) -> Bool {
    try BusError.check(sd_bus_message_at_end(handle, 0), "sd_bus_message_at_end") > 0
  }

  /// Goes back to the first argument.
  package func rewind() throws(BusError) {
    try BusError.check(sd_bus_message_rewind(handle, 1), "sd_bus_message_rewind")
  }

  /// Reads a basic type, whose bytes sd-bus copies.
  func read<Value: BitwiseCopyable>(_ type: TypeCode, _ zero: Value) throws(BusError) -> Value {
    var value = zero
    try found(sd_bus_message_read_basic(handle, CChar(type), &value), "sd_bus_message_read_basic")
    return value
  }

  private func readText(_ type: TypeCode) throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try found(sd_bus_message_read_basic(handle, CChar(type), &text), "sd_bus_message_read_basic")
    guard let text else { throw missingArgument() }
    return String(cString: text)
  }

  /// Throws also if sd-bus returns 0, which means that there is no further argument.
  private func found(_ result: CInt, _ operation: StaticString) throws(BusError) {
    switch result {
    case -ENXIO:
      throw BusError(name: BusError.Name.invalidArguments, message: "An argument has another type")
    case 0: throw missingArgument()
    default: try BusError.check(result, operation)
    }
  }

  private func missingArgument() -> BusError {
    BusError(name: BusError.Name.invalidArguments, message: "An argument is missing")
  }
}
