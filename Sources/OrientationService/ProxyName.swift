// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The bus name of iio-sensor-proxy: taken when it is free, and else as soon as who has it gives it up.
final class ProxyName {
  private let connection: Connection
  private let log: ServiceLog
  private var request: NameRequest?
  private var hasWaited = false

  init(connection: Connection, log: ServiceLog) {
    self.connection = connection
    self.log = log
  }

  /// Asks for the name.
  func take() {
    do throws(BusError) {
      request = try connection.bus.queue(forName: DBusNames.proxyService) { [unowned(unsafe) self] outcome in
        log.proxyName(outcome, hasWaited: hasWaited)
        hasWaited = outcome == .queued
      }
    } catch {
      log.proxyName(.failed(error), hasWaited: false)
    }
  }
}
