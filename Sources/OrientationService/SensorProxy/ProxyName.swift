// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The bus name of iio-sensor-proxy: taken when it is free, and else as soon as who has it gives it up.
final class ProxyName {
  private let connection: Connection
  private let log: ServiceLog
  private var request: NameRequest?
  private var hasWaited = false

  /// Listens to the bus, which is not asked for the name yet.
  init(connection: Connection, log: ServiceLog) throws(BusError) {
    self.connection = connection
    self.log = log
    request = try NameRequest(for: DBusNames.proxyService, on: connection.bus) {
      [unowned(unsafe) self] outcome in
      self.log.proxyName(outcome, hasWaited: hasWaited)
      hasWaited = outcome == .queued
    }
  }

  /// Asks for the name.
  func take() {
    do throws(BusError) {
      try request?.send()
    } catch {
      log.proxyName(.failed(error), hasWaited: false)
    }
  }
}
