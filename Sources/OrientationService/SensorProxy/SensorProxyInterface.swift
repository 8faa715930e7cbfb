// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Interface {
  /// `net.hadess.SensorProxy`: iio-sensor-proxy's interface, but for the compass.
  ///
  /// - Parameter service: owns the slot of the interface, which does not retain it.
  /// - Returns: the interface, to be put on the bus.
  static func sensorProxy(_ service: SensorProxyService) -> Interface {
    Interface(
      DBusNames.proxyInterface, of: service, members(of: [.accelerometer, .light, .proximity]))
  }

  /// `net.hadess.SensorProxy.Compass`: the compass, which has an object of its own.
  ///
  /// - Parameter service: owns the slot of the interface, which does not retain it.
  /// - Returns: the interface, to be put on the bus.
  static func compass(_ service: SensorProxyService) -> Interface {
    Interface(DBusNames.compassInterface, of: service, members(of: [.compass]))
  }

  private static func members(of kinds: [ProxySensorKind]) -> [Member<SensorProxyService>] {
    // Changes are emitted to those who have claimed the sensor.
    var members: [Member<SensorProxyService>] = Member.properties(
      kinds.flatMap { [$0.presence] + $0.values }
    ) { service, reply in service.properties(for: reply.destination) }
    // Every user may call: polkit decides.
    for kind in kinds {
      members += [
        .method("Claim\(kind.name)") { service, call throws(BusError) in
          try service.claim(kind, call)
        },
        .method("Release\(kind.name)") { service, call throws(BusError) in
          try service.release(kind, call)
        },
      ]
    }
    return members
  }
}
