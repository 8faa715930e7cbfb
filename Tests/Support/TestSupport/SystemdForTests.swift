// SPDX-License-Identifier: Apache-2.0

import CSystemd

@testable package import Systemd

// What only tests need of libsystemd.

extension Bus {
  /// Ends the connection, without a flush; calls that wait for a reply get an error.
  package func close() { sd_bus_close(handle) }

  /// Waits until everything sent has been written to the bus.
  package func flush() throws(BusError) { try BusError.check(sd_bus_flush(handle), "sd_bus_flush") }
}

extension Message {
  /// The object path that is called, or that signals.
  package var path: String? { sd_bus_message_get_path(handle).map { String(cString: $0) } }
  /// The method or signal.
  package var member: String? { sd_bus_message_get_member(handle).map { String(cString: $0) } }
  /// The types of all arguments.
  package var signature: String { String(cString: sd_bus_message_get_signature(handle, 1)) }

  /// Appends an `o`.
  package func append(objectPath: String) throws(BusError) {
    try append(SD_BUS_TYPE_OBJECT_PATH, text: objectPath)
  }

  /// Reads a variant of any type: the body gets the type of the value, and reads or skips it.
  package func readAnyVariant<Value>(
    _ body: (_ contents: String, borrowing Message) throws(BusError) -> Value
  ) throws(BusError) -> Value {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    try BusError.check(sd_bus_message_peek_type(handle, &type, &contents), "sd_bus_message_peek_type")
    let signature = contents.map { String(cString: $0) } ?? ""
    return try read(.variant, signature) { message throws(BusError) in try body(signature, message) }
  }
}
