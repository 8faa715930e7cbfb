// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Hears when clients leave the bus, as long as that matters to somebody.
///
/// That it does not any more is noticed at the next departure, and not at once: a client that makes it matter and not
/// matter in turn, as fast as it can, is to cost the bus nothing.
final class Departures {
  /// Whether departures still matter after one that was told.
  enum Interest {
    case some
    case none
  }

  private let connection: Connection
  private let handler: (String) -> Interest
  private var slot: Slot?

  /// Hears nothing yet.
  ///
  /// - Parameters:
  ///   - connection: whose bus; it must outlive this.
  ///   - handler: called with the unique name of each client that leaves, whoever it is.
  init(on connection: Connection, _ handler: @escaping (String) -> Interest) {
    self.connection = connection
    self.handler = handler
  }

  /// Hears of every client that leaves from now on.
  ///
  /// - Throws: `BusError`, where the connection is gone.
  func listen() throws(BusError) {
    guard slot == nil else { return }
    slot = try connection.bus.onDeparture { [unowned(unsafe) self] client in
      if handler(client) == .none { slot = nil }
    }
  }
}
