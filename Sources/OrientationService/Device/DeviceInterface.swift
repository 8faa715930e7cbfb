// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Interface {
  /// `org.orientationd1.Device`: UIDevice's half of the D-Bus interface.
  ///
  /// - Parameter service: owns the slot of the interface, which does not retain it.
  /// - Returns: the interface, to be put on the bus.
  static func device(_ service: DeviceService) -> Interface {
    Interface(DBusNames.deviceInterface, of: service, deviceProperties + deviceMethods + deviceSignals)
  }

  private static var deviceProperties: [Member<DeviceService>] {
    [
      .property("Orientation", "u", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.orientation.rawValue)
      },
      .property("OrientationName", "s", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.orientation.name)
      },
      .property("GeneratesDeviceOrientationNotifications", "b", changes: .emitted) {
        service, reply throws(BusError) in try reply.append(service.properties.isGenerating)
      },
      .property("HasAccelerometer", "b", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.hasAccelerometer)
      },
      .property("SensorName", "s", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.sensorName ?? "")
      },
      .property("SensorStatus", "s", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.sensorStatus.rawValue)
      },
      .property("SampleRate", "d", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.sampleRate)
      },
    ]
  }

  private static var deviceMethods: [Member<DeviceService>] {
    [
      .deferringMethod("BeginGeneratingDeviceOrientationNotifications", flags: .unprivileged) {
        service, call throws(BusError) in try service.beginGenerating(call)
      },
      .deferringMethod("EndGeneratingDeviceOrientationNotifications", flags: .unprivileged) {
        service, call throws(BusError) in try service.endGenerating(call)
      },
      .deferringMethod(
        "GetOrientation", outputs: ["orientation": "u", "name": "s"], flags: .unprivileged
      ) { service, call throws(BusError) in try service.getOrientation(call) },
      .deferringMethod("GetGravity", outputs: ["gravity": "(ddd)"], flags: .unprivileged) {
        service, call throws(BusError) in try service.getGravity(call)
      },
    ]
  }

  private static var deviceSignals: [Member<DeviceService>] {
    [.signal("OrientationDidChange", ["orientation": "u", "name": "s", "when": "t"])]
  }
}
