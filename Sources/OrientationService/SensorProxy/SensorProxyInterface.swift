// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// What the interfaces of SensorProxy need of the service.
protocol SensorProxyInterfaceHandler: AnyObject {
  /// What a client sees, by its unique name.
  func properties(for client: String?) -> SensorProxyProperties
  /// A client wants a kind of sensor to run.
  func claim(_ kind: ProxySensorKind, _ call: consuming Message) throws(BusError)
  /// A client does not want it any more.
  func release(_ kind: ProxySensorKind, _ call: consuming Message) throws(BusError)
}

extension Interface {
  /// `net.hadess.SensorProxy`: iio-sensor-proxy's interface, but for the compass.
  ///
  /// - Parameter handler: outlives the interface, as that of ``device(_:)`` does.
  /// - Returns: the interface, to be put on the bus.
  static func sensorProxy(_ handler: any SensorProxyInterfaceHandler) -> Interface {
    Interface(
      DBusNames.proxyInterface, members(of: [.accelerometer, .light, .proximity], handler))
  }

  /// `net.hadess.SensorProxy.Compass`: the compass, which has an object of its own.
  ///
  /// - Parameter handler: outlives the interface, as that of ``device(_:)`` does.
  /// - Returns: the interface, to be put on the bus.
  static func compass(_ handler: any SensorProxyInterfaceHandler) -> Interface {
    Interface(DBusNames.compassInterface, members(of: [.compass], handler))
  }

  private static func members(
    of kinds: [ProxySensorKind], _ handler: any SensorProxyInterfaceHandler
  ) -> [Member] {
    var members: [Member] = []
    for kind in kinds {
      for property in [kind.presence] + kind.values { members.append(member(for: property, handler)) }
    }
    // Every user may call: polkit decides.
    for kind in kinds {
      members += [
        .deferringMethod("Claim\(kind.name)", flags: .unprivileged) {
          [unowned(unsafe) handler] call throws(BusError) in try handler.claim(kind, call)
        },
        .deferringMethod("Release\(kind.name)", flags: .unprivileged) {
          [unowned(unsafe) handler] call throws(BusError) in try handler.release(kind, call)
        },
      ]
    }
    return members
  }

  // Emitted to those who have claimed the sensor.
  private static func member(
    for property: SensorProxyProperty, _ handler: any SensorProxyInterfaceHandler
  ) -> Member {
    .property(property.rawValue, property.type, changes: .emitted) {
      [unowned(unsafe) handler] reply throws(BusError) in
      try handler.properties(for: reply.destination).append(property, to: reply)
    }
  }
}
