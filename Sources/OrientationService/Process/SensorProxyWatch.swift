// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// Notifies the samplers whether iio-sensor-proxy runs, which uses the same sensors: whether a connection other than this service's
/// own owns its bus name.
final class SensorProxyWatch {
  private let neighbour: Neighbour
  private let ownName: String
  private var owner: NameOwner?

  /// Watches from here on.
  ///
  /// - Throws: `BusError` if the connection is closed.
  init(on connection: Connection, for neighbour: Neighbour) throws(BusError) {
    self.neighbour = neighbour
    ownName = try connection.bus.uniqueName
    owner = try NameOwner(of: DBusNames.proxyService, on: connection.bus) {
      [unowned(unsafe) self] in report()
    }
    report()
  }

  private func report() {
    let name = owner?.uniqueName
    neighbour.become(isThere: name != nil && name != ownName)
  }
}
