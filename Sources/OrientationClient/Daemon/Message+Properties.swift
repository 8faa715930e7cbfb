// SPDX-License-Identifier: Apache-2.0

package import Systemd

extension Message {
  /// Reads an `a{sv}` of properties, the next argument of a message.
  ///
  /// - Parameter body: receives the name of each property, and reads or skips the variant that follows.
  /// - Throws: `BusError`: InvalidArgs if the next argument has another type, or the error of the body.
  package func readProperties(
    _ body: (_ name: String, borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try readArray(of: "{sv}") { message throws(BusError) in
      try message.read(.dictionaryEntry, "sv") { message throws(BusError) in
        try body(try message.readString(), message)
      }
    }
  }

  /// Reads a variant that holds a `u`.
  package func readUInt32Variant() throws(BusError) -> UInt32 {
    try read(.variant, "u") { value throws(BusError) in try value.readUInt32() }
  }

  /// Reads a variant that holds a `b`.
  package func readBoolVariant() throws(BusError) -> Bool {
    try read(.variant, "b") { value throws(BusError) in try value.readBool() }
  }

  /// Reads a variant that holds an `s`.
  package func readStringVariant() throws(BusError) -> String {
    try read(.variant, "s") { value throws(BusError) in try value.readString() }
  }
}
