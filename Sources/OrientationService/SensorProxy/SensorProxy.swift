// SPDX-License-Identifier: Apache-2.0

// What iio-sensor-proxy does, whole: the D-Bus objects that clients see, the accelerometer that the other half of the service
// samples, and the sensors that only these clients ask for. It joins the service through its seams (ServicePart, DeviceObserver,
// SleepObserver), and nothing but Service.init, which creates it, knows of it.

import IIO
import Orientation
import SensorSetup
import Systemd

/// The part of the service that takes iio-sensor-proxy's place; there is none without `SensorProxy=yes`.
final class SensorProxy: ServicePart {
  private let service: SensorProxyService
  private let accelerometer: ProxyAccelerometer
  private let ambient: AmbientSensors

  /// The sensors beside the accelerometer, which run while they are claimed.
  private static let ambientKinds: [(AmbientSensorKind, ProxySensorKind)] = [
    (.light, .light), (.proximity, .proximity), (.compass, .compass),
  ]

  /// Puts the objects on the bus.
  ///
  /// iio-sensor-proxy's name is taken after our own, now or when it becomes free.
  init(
    connection: Connection, authorizer: Authorizer, device: DeviceService,
    screen: ScreenService, sleep: MachineSleep,
    readiness: Readiness, restart: RestartKeeper, successor: NameSuccessor, configuration: Configuration,
    log: ServiceLog
  ) throws(BusError) {
    service = try SensorProxyService(
      connection: connection, authorizer: authorizer, restart: restart,
      successor: successor, limits: configuration.limits, log: log)
    accelerometer = ProxyAccelerometer(service.sensor(.accelerometer), of: device, showing: screen)
    ambient = AmbientSensors(loop: connection.loop, beside: device.link, log: log)
    for (kind, proxyKind) in Self.ambientKinds {
      guard let sampler = ambient.sampler(kind) else { continue }
      let sensor = service.sensor(proxyKind)
      sensor.whenWanted = { [unowned(unsafe) sampler] in sampler.set(isClaimed: $0) }
      sampler.whenChanged = { [unowned(unsafe) sampler, unowned(unsafe) sensor] in
        sensor.report(sampler.state.map { ProxyReading($0) })
      }
    }
    ambient.whenKnown = { [unowned(unsafe) readiness] in readiness.update() }
    ambient.whenReleased = { [unowned(unsafe) sleep] in sleep.released() }
    sleep.add(ambient)
    readiness.require { [unowned(unsafe) ambient] in ambient.knowsSensors }
    service.restore()
    readiness.onNamed { [unowned(unsafe) service] in service.takeName() }
  }

  func reconfigure(_ configuration: Configuration) { service.limit(to: configuration.limits) }

  func devicesChanged() { ambient.lookAgain() }

  func requestStop() { ambient.requestStop() }

  func waitForEnd(until deadline: BootTime) -> Bool { ambient.waitForEnd(until: deadline) }
}
