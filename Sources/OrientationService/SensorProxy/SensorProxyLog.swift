// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// What the journal sees of the half that takes iio-sensor-proxy's place.
extension ServiceLog {
  /// A client claims a sensor, or does not any more.
  func claims(of kind: ProxySensorKind, changed change: ClientChange) {
    switch change {
    case .began(let client): verbose("client \(client) claims \(kind.name)")
    case .ended(let client): verbose("client \(client) releases \(kind.name)")
    case .left(let client): verbose("client \(client) has left, and with it its claim of \(kind.name)")
    }
  }

  /// Programs will see iio-sensor-proxy's name vanish when the service restarts.
  func cannotKeepName(_ error: BusError) {
    verbose("the bus name \(DBusNames.proxyService) is not kept over a restart: \(error)")
  }

  /// The bus has answered who has iio-sensor-proxy's name.
  func proxyName(_ outcome: NameRequest.Outcome, hasWaited: Bool) {
    let name = DBusNames.proxyService
    switch outcome {
    case .owned where !hasWaited: verbose("the bus name \(name) is ours")
    case .owned:
      log(
        .notice, "the bus name \(name) has become free: programs that use it are served from here on",
        id: "31")
    case .queued:
      log(
        .notice,
        "another program owns the bus name \(name) (is iio-sensor-proxy running?) and serves its clients until it exits",
        id: "30")
    case .failed(let error):
      log(
        .warning, "SensorProxy=yes cannot be served, as the bus name \(name) is refused: \(error)",
        id: "32")
    }
  }
}
