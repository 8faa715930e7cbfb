// SPDX-License-Identifier: Apache-2.0

package import Systemd

/// The bus that a daemon serves.
package enum DaemonBus {
  /// The system bus, where the installed daemon serves.
  case system
  /// The session bus, where `orientationd --user` serves.
  case session
  /// The bus at a D-Bus address.
  case address(String)

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
    let address: Bus.Address =
      switch self {
      case .system: .system
      case .session: .session
      case .address(let text): .address(text)
      }
    let bus = try Bus.open(address)
    _ = try bus.uniqueName
    return bus
  }
}
