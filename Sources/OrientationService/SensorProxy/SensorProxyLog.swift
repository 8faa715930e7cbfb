// SPDX-License-Identifier: Apache-2.0

import IIO
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

  /// The bus has answered who has iio-sensor-proxy's name.
  func proxyName(_ outcome: NameRequest.Outcome, hasWaited: Bool) {
    let name = DBusNames.proxyService
    switch outcome {
    case .owned where !hasWaited: verbose("the bus name \(name) is ours")
    case .owned:
      journal.log(
        .notice, "the bus name \(name) has become free: programs that use it are served from here on",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c31")
    case .queued:
      journal.log(
        .notice,
        "the bus name \(name) belongs to another program (iio-sensor-proxy runs?), which serves its clients until it ends",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c30")
    case .failed(let error):
      journal.log(
        .warning, "SensorProxy=yes cannot be served, as the bus name \(name) is refused: \(error)",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c32")
    }
  }

  /// A sensor beside the accelerometer was found.
  func ambientSensor(found sensor: AmbientSensor) {
    journal.log(
      .info, "\(sensor.kind.name) \(sensor.name)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c20",
      fields: ["SENSOR": sensor.name])
  }

  /// The devices cannot be looked through for such sensors.
  func cannotLookForAmbientSensors(_ error: SourceError) {
    journal.log(
      .warning, "light sensor, proximity sensor and compass cannot be looked for: \(error)",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c21")
  }

  /// One of them cannot be opened or read.
  func ambientSensorFails(_ kind: AmbientSensorKind, _ error: SourceError) {
    journal.log(
      .warning, "the \(kind.name) does not work: \(error); it is tried again now and then",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c22")
  }

  /// One of them has failed and delivers again.
  func ambientSensorWorksAgain(_ kind: AmbientSensorKind) {
    journal.log(.notice, "the \(kind.name) works again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c23")
  }

  /// The buffer of one of them is of no use.
  func ambientSensorIsPolled(_ kind: AmbientSensorKind, because error: SourceError) {
    journal.log(
      .notice, "\(error); polling the \(kind.name) instead", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c24")
  }
}
