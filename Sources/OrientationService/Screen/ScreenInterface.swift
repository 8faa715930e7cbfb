// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// What the Screen interface needs of the service.
protocol ScreenInterfaceHandler: AnyObject {
  /// What clients see.
  var properties: ScreenProperties { get }
  /// A client wants the rotation locked or unlocked.
  func setRotationLock(_ call: consuming Message) throws(BusError)
  /// A client rotates the interface by hand.
  func setInterfaceOrientation(_ call: consuming Message) throws(BusError)
  /// A client wants the interface to take the device's orientation.
  func attemptRotationToDeviceOrientation(_ call: consuming Message) throws(BusError)
  /// A client says which orientations the interface may have.
  func setSupportedInterfaceOrientations(_ call: consuming Message) throws(BusError)
}

extension Interface {
  /// `org.orientationd1.Screen`: the interface orientation's half of the D-Bus interface.
  ///
  /// - Parameter handler: outlives the interface, as that of ``device(_:)`` does.
  /// - Returns: the interface, to be put on the bus.
  static func screen(_ handler: any ScreenInterfaceHandler) -> Interface {
    Interface(DBusNames.screenInterface, screenProperties(handler) + screenMethods(handler))
  }

  private static func screenProperties(_ handler: any ScreenInterfaceHandler) -> [Member] {
    [
      .property("RotationLocked", "b", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.lock == .locked)
      },
      .property("InterfaceOrientation", "u", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.orientation.rawValue)
      },
      .property("InterfaceOrientationName", "s", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.orientation.name)
      },
      .property("Transform", "s", changes: .emitted) { [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.transform.rawValue)
      },
      .property("SupportedInterfaceOrientations", "u", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.supported.rawValue)
      },
      .property("TabletMode", "s", changes: .emitted) { [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.tabletMode.rawValue)
      },
    ]
  }

  // Every user may call: polkit decides.
  private static func screenMethods(_ handler: any ScreenInterfaceHandler) -> [Member] {
    [
      .deferringMethod("SetRotationLock", inputs: ["locked": "b"], flags: .unprivileged) {
        [unowned(unsafe) handler] call throws(BusError) in try handler.setRotationLock(call)
      },
      .deferringMethod("SetInterfaceOrientation", inputs: ["orientation": "u"], flags: .unprivileged) {
        [unowned(unsafe) handler] call throws(BusError) in try handler.setInterfaceOrientation(call)
      },
      .deferringMethod("AttemptRotationToDeviceOrientation", flags: .unprivileged) {
        [unowned(unsafe) handler] call throws(BusError) in
        try handler.attemptRotationToDeviceOrientation(call)
      },
      .deferringMethod(
        "SetSupportedInterfaceOrientations", inputs: ["orientations": "u"], flags: .unprivileged
      ) { [unowned(unsafe) handler] call throws(BusError) in
        try handler.setSupportedInterfaceOrientations(call)
      },
    ]
  }
}
