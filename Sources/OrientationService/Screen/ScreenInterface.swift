// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Interface {
  /// `org.orientationd1.Screen`: the interface orientation's half of the D-Bus interface.
  ///
  /// - Parameter service: owns the slot of the interface, which does not retain it.
  /// - Returns: the interface, to be put on the bus.
  static func screen(_ service: ScreenService) -> Interface {
    Interface(DBusNames.screenInterface, of: service, screenProperties + screenMethods)
  }

  private static var screenProperties: [Member<ScreenService>] {
    [
      .property("RotationLocked", "b", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.lock == .locked)
      },
      .property("InterfaceOrientation", "u", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.orientation.rawValue)
      },
      .property("InterfaceOrientationName", "s", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.orientation.name)
      },
      .property("Transform", "s", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.transform.rawValue)
      },
      .property("SupportedInterfaceOrientations", "u", changes: .emitted) {
        service, reply throws(BusError) in try reply.append(service.properties.supported.rawValue)
      },
      .property("TabletMode", "s", changes: .emitted) { service, reply throws(BusError) in
        try reply.append(service.properties.tabletMode.rawValue)
      },
    ]
  }

  // Every user may call: polkit decides.
  private static var screenMethods: [Member<ScreenService>] {
    [
      .deferringMethod("SetRotationLock", inputs: ["locked": "b"], flags: .unprivileged) {
        service, call throws(BusError) in try service.setRotationLock(call)
      },
      .deferringMethod("SetInterfaceOrientation", inputs: ["orientation": "u"], flags: .unprivileged) {
        service, call throws(BusError) in try service.setInterfaceOrientation(call)
      },
      .deferringMethod("AttemptRotationToDeviceOrientation", flags: .unprivileged) {
        service, call throws(BusError) in try service.attemptRotationToDeviceOrientation(call)
      },
      .deferringMethod(
        "SetSupportedInterfaceOrientations", inputs: ["orientations": "u"], flags: .unprivileged
      ) { service, call throws(BusError) in try service.setSupportedInterfaceOrientations(call) },
    ]
  }
}
