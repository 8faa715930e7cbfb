// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Takes the bus name and tells the service manager, once clients would find things in order.
final class Readiness {
  /// How long the name waits for the first look through the devices, in seconds.
  ///
  /// The first call of a client that had the service started should find the sensor, but not wait for a slow hub.
  static let patienceSeconds = 1.0

  private let connection: Connection
  private let whenNamed: () -> Void
  private var isReady = false

  /// Not ready yet.
  ///
  /// - Parameters:
  ///   - connection: whose bus the name is taken on.
  ///   - whenNamed: called once the name is taken, before the service manager is told.
  init(connection: Connection, whenNamed: @escaping () -> Void) {
    self.connection = connection
    self.whenNamed = whenNamed
  }

  /// Takes the name, if that has not been done yet.
  func become() {
    guard !isReady else { return }
    isReady = true
    do throws(RequestNameError) {
      try connection.bus.requestName(DBusNames.service)
    } catch {
      return connection.fail(.noName(error))
    }
    whenNamed()
    // A service manager that cannot be told will say so itself.
    _ = try? ServiceManager.ready()
    releaseStartupPages()
  }
}
