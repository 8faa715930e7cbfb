// SPDX-License-Identifier: Apache-2.0

package import Systemd

/// The properties of one of the daemon's interfaces.
package protocol DaemonProperties {
  /// The values before the daemon has sent any.
  init()

  /// Reads or skips a property, the variant that is next.
  mutating func update(_ name: String, from message: borrowing Message) throws(BusError)
}

extension DaemonProperties {
  /// Reads all properties, an `a{sv}`, the next argument of a message.
  package init(from message: borrowing Message) throws(BusError) {
    self.init()
    try update(from: message)
  }

  /// Reads the properties of an `a{sv}`, the next argument of a message; unknown ones are ignored.
  package mutating func update(from message: borrowing Message) throws(BusError) {
    var updated = self
    try message.readArray(of: "{sv}") { message throws(BusError) in
      try message.read(.dictionaryEntry, "sv") { message throws(BusError) in
        try updated.update(try message.readString(), from: message)
      }
    }
    self = updated
  }
}
