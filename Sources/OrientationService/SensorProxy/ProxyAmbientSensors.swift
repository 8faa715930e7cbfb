// SPDX-License-Identifier: Apache-2.0

// Light, proximity and compass in iio-sensor-proxy's words.

import IIO

/// Reports them to `SensorProxyService`, and has each run while it is claimed.
final class ProxyAmbientSensors {
  private let ambient: AmbientSensors
  private let sensors: ProxySensors

  init(_ sensors: ProxySensors, of ambient: AmbientSensors) {
    (self.ambient, self.sensors) = (ambient, sensors)
    ambient.whenChanged = { [unowned(unsafe) self] in report($0) }
    sensors.light.whenWanted = { [unowned(unsafe) self] in want(.light, $0) }
    sensors.proximity.whenWanted = { [unowned(unsafe) self] in want(.proximity, $0) }
    sensors.compass.whenWanted = { [unowned(unsafe) self] in want(.compass, $0) }
  }

  private func want(_ kind: AmbientSensorKind, _ isWanted: Bool) {
    if isWanted { ambient.claim(kind) } else { ambient.release(kind) }
  }

  private func report(_ kind: AmbientSensorKind) {
    switch kind {
    case .light: sensors.light.report(ProxySensorState(ambient.light.map { LightReading($0) }))
    case .proximity: sensors.proximity.report(ProxySensorState(ambient.proximity.map { $0 == .near }))
    case .compass: sensors.compass.report(ProxySensorState(ambient.compass.map { $0.degrees }))
    }
  }
}

extension LightReading {
  /// iio-sensor-proxy calls both lux: its vendor unit is percent, which an intensity is not.
  fileprivate init(_ level: LightLevel) {
    self.init(level: level.value, unit: .lux)
  }
}

extension ProxySensorState {
  fileprivate init(_ state: AmbientState<Reading>) {
    self =
      switch state {
      case .absent: .absent
      case .idle: .idle
      case .starting: .starting
      case .active(let reading): .active(reading)
      case .failed: .failed
      }
  }
}
