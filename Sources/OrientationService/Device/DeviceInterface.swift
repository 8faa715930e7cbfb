// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// What the Device interface needs of the service.
protocol DeviceInterfaceHandler: AnyObject {
  /// What clients see.
  var properties: DeviceProperties { get }
  /// A client wants notifications.
  func beginGenerating(_ call: consuming Message) throws(BusError)
  /// A client wants one notification less.
  func endGenerating(_ call: consuming Message) throws(BusError)
  /// A client wants to know the orientation once.
  func getOrientation(_ call: consuming Message) throws(BusError)
  /// A client wants to know how gravity lies.
  func getGravity(_ call: consuming Message) throws(BusError)
}

extension Interface {
  /// `org.orientationd1.Device`: UIDevice's half of the D-Bus interface.
  ///
  /// - Parameter handler: outlives the interface, which refers to it without a check: Embedded Swift counts no
  ///   references that do not own.
  /// - Returns: the interface, to be put on the bus.
  static func device(_ handler: any DeviceInterfaceHandler) -> Interface {
    Interface(DBusNames.deviceInterface, deviceProperties(handler) + deviceMethods(handler) + deviceSignals)
  }

  private static func deviceProperties(_ handler: any DeviceInterfaceHandler) -> [Member] {
    [
      .property("Orientation", "u", changes: .emitted) { [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.orientation.rawValue)
      },
      .property("OrientationName", "s", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.orientation.name)
      },
      .property("GeneratesDeviceOrientationNotifications", "b", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in try reply.append(handler.properties.isGenerating)
      },
      .property("HasAccelerometer", "b", changes: .emitted) {
        [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.hasAccelerometer)
      },
      .property("SensorName", "s", changes: .emitted) { [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.sensorName ?? "")
      },
      .property("SensorStatus", "s", changes: .emitted) { [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.sensorStatus.rawValue)
      },
      .property("SampleRate", "d", changes: .emitted) { [unowned(unsafe) handler] reply throws(BusError) in
        try reply.append(handler.properties.sampleRate)
      },
    ]
  }

  private static func deviceMethods(_ handler: any DeviceInterfaceHandler) -> [Member] {
    [
      .deferringMethod("BeginGeneratingDeviceOrientationNotifications", flags: .unprivileged) {
        [unowned(unsafe) handler] call throws(BusError) in try handler.beginGenerating(call)
      },
      .deferringMethod("EndGeneratingDeviceOrientationNotifications", flags: .unprivileged) {
        [unowned(unsafe) handler] call throws(BusError) in try handler.endGenerating(call)
      },
      .deferringMethod(
        "GetOrientation", outputs: ["orientation": "u", "name": "s"], flags: .unprivileged
      ) { [unowned(unsafe) handler] call throws(BusError) in try handler.getOrientation(call) },
      .deferringMethod("GetGravity", outputs: ["gravity": "(ddd)"], flags: .unprivileged) {
        [unowned(unsafe) handler] call throws(BusError) in try handler.getGravity(call)
      },
    ]
  }

  private static var deviceSignals: [Member] {
    [.signal("OrientationDidChange", ["orientation": "u", "name": "s", "when": "t"])]
  }
}
