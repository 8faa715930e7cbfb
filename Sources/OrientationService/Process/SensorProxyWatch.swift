// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// Tells the samplers whether iio-sensor-proxy runs, which shares its sensors with us: it is who has its bus name, where that is
/// not this service.
final class SensorProxyWatch {
  private let neighbour: Neighbour
  private let ownName: String
  private var owner: NameOwner?

  /// Watches from here on.
  ///
  /// - Throws: `BusError` where the connection is gone.
  init(on connection: Connection, for neighbour: Neighbour) throws(BusError) {
    self.neighbour = neighbour
    ownName = try connection.bus.uniqueName
    owner = try NameOwner(of: DBusNames.proxyService, on: connection.bus) { [unowned(unsafe) self] in tell() }
    tell()
  }

  private func tell() {
    let name = owner?.uniqueName
    neighbour.become(isThere: name != nil && name != ownName)
  }
}
