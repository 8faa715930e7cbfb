// SPDX-License-Identifier: Apache-2.0

// The addresses of the buses, by the rules of libsystemd's sd_bus_open_system and sd_bus_open_user. Those functions connect at once,
// so no option of the connection could be set before.

import CLinux

extension Bus.Address {
  /// The D-Bus address.
  var text: String {
    get throws(BusError) {
      switch self {
      case .system:
        return environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
      case .session:
        if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
        guard let folder = environment("XDG_RUNTIME_DIR") else {
          throw BusError(code: ENOMEDIUM, operation: "XDG_RUNTIME_DIR")
        }
        return "unix:path=\(percentEncoded(folder))/bus"
      case .address(let text): return text
      }
    }
  }
}

private func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// A text as a value in an address: all but these bytes are written as `%` and two hexadecimal digits (D-Bus
/// specification, Server Addresses).
package func percentEncoded(_ text: String) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var bytes: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
      UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
      bytes.append(byte)
    default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
