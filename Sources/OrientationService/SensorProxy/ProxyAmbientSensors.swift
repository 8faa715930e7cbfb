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
    // iio-sensor-proxy calls every level lux: its vendor unit is percent, which an intensity is not.
    case .light: sensors.light.report(ambient.light.map { LightReading(level: $0.value, unit: .lux) })
    case .proximity: sensors.proximity.report(ambient.proximity.map { $0 == .near })
    case .compass: sensors.compass.report(ambient.compass.map { $0.degrees })
    case .hinge: return  // iio-sensor-proxy has none
    }
  }
}
