// SPDX-License-Identifier: Apache-2.0

package import Systemd

// The bus that a daemon serves: the system bus, or the session bus, where `orientationd --user` serves.
extension Bus.Address {
  /// What messages and JSON call it: "the \(name) bus".
  package var name: String {
    switch self {
    case .system: "system"
    case .session: "session"
    case .address(let address): address
    }
  }

  /// How a user starts the daemon there.
  package var startHint: String {
    switch self {
    case .system: "start it with: systemctl start orientationd"
    case .session, .address: "start it with: orientationd --user"
    }
  }

  /// Connects, and waits for the answer of the bus.
  ///
  /// - Throws: `BusError` if there is no such bus.
  package func connect() throws(BusError) -> Bus {
    let bus = try Bus.open(self)
    _ = try bus.uniqueName
    return bus
  }
}
