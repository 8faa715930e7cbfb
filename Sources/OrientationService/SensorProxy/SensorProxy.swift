// SPDX-License-Identifier: Apache-2.0

// What iio-sensor-proxy does, whole: the D-Bus objects that clients see, the accelerometer that the other half of the service
// samples, and the sensors that only these clients ask for.

import SensorSetup
import Systemd

/// The half of the service that takes iio-sensor-proxy's place; there is none without `SensorProxy=yes`.
final class SensorProxy {
  private let service: SensorProxyService
  private let accelerometer: ProxyAccelerometer
  private let ambientReports: ProxyAmbientSensors
  /// Light sensor, proximity sensor and compass.
  let ambient: AmbientSensors

  /// Puts the objects on the bus, and starts to look for the sensors; the name is another matter.
  init(
    connection: Connection, callers: Callers, authorizer: Authorizer, device: DeviceService,
    configuration: Configuration, log: ServiceLog
  ) throws(BusError) {
    service = try SensorProxyService(
      connection: connection, callers: callers, authorizer: authorizer, limits: configuration.limits, log: log
    )
    accelerometer = ProxyAccelerometer(service.sensors.accelerometer, of: device)
    ambient = AmbientSensors(loop: connection.loop, neighbour: device.neighbour, log: log)
    ambientReports = ProxyAmbientSensors(service.sensors, of: ambient)
  }

  /// Goes by another configuration from here on.
  func reconfigure(_ configuration: Configuration) { service.limit(to: configuration.limits) }

  /// Takes iio-sensor-proxy's bus name, now or when it becomes free.
  func takeName() { service.takeName() }
}
