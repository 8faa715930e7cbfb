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
    var members: [Member<SensorProxyService>] = []
    for kind in kinds {
      for property in [kind.presence] + kind.values { members.append(member(for: property)) }
    }
    // Every user may call: polkit decides.
    for kind in kinds {
      members += [
        .deferringMethod("Claim\(kind.name)", flags: .unprivileged) { service, call throws(BusError) in
          try service.claim(kind, call)
        },
        .deferringMethod("Release\(kind.name)", flags: .unprivileged) { service, call throws(BusError) in
          try service.release(kind, call)
        },
      ]
    }
    return members
  }

  // Emitted to those who have claimed the sensor.
  private static func member(for property: SensorProxyProperty) -> Member<SensorProxyService> {
    .property(property.rawValue, property.type, changes: .emitted) { service, reply throws(BusError) in
      try service.properties(for: reply.destination).append(property, to: reply)
    }
  }
}
