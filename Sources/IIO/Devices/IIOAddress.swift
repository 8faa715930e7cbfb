// SPDX-License-Identifier: Apache-2.0

/// What other devices than the kernel's of this machine are reached by: a URI of libiio, such as `ip:192.168.2.1` or `usb:1.7.5`.
package struct IIOAddress: Equatable, Sendable, CustomStringConvertible {
  /// The URI.
  package let uri: String

  /// Reads a value of `Sensor=`: `ip:HOST`, or `iio:` and any URI; nil for any other text.
  ///
  /// `iio:device0` is no URI, but the id of a device of this machine.
  package init?(parsing text: String) {
    let uri = text.hasPrefix("iio:") ? text.dropFirst(4) : text[...]
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")), colon != uri.startIndex else { return nil }
    let isShort = uri.startIndex == text.startIndex
    guard uri != "ip:", !isShort || uri.hasPrefix("ip:") else { return nil }
    self.uri = String(uri)
  }

  /// The value of `Sensor=` that is this address.
  var configurationText: String { uri.hasPrefix("ip:") ? uri : "iio:\(uri)" }

  /// The address of a machine in the network.
  package init(host: String) { uri = "ip:\(host)" }

  /// The machine's name, or the URI of one that is not in the network.
  package var description: String { uri.hasPrefix("ip:") ? String(uri.dropFirst(3)) : uri }
}
