// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup
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
    Member.properties(DeviceProperties.table) { service, _ in service.properties } + [
      .property("Version", "s", changes: .constant) { _, reply throws(BusError) in
        try reply.append(orientationdVersion)
      },
      .property("InterfaceVersion", "u", changes: .constant) { _, reply throws(BusError) in
        try reply.append(DBusNames.interfaceVersion)
      },
    ]
  }

  private static var deviceMethods: [Member<DeviceService>] {
    [
      .method("BeginGeneratingDeviceOrientationNotifications") {
        service, call throws(BusError) in try service.beginGenerating(call)
      },
      .method("EndGeneratingDeviceOrientationNotifications") {
        service, call throws(BusError) in try service.endGenerating(call)
      },
      .method(
        "MeasureOrientation", outputs: ["orientation": "u", "name": "s"]
      ) { service, call throws(BusError) in try service.measureOrientation(call) },
    ]
  }

  private static var deviceSignals: [Member<DeviceService>] {
    [.signal("OrientationDidChange", ["orientation": "u", "previous": "u", "time_usec": "t"])]
  }
}

/// The values of the properties of `org.orientationd1.Device` and `org.orientationd1.Sensor`.
struct DeviceProperties: Equatable {
  var orientation = DeviceOrientation.unknown
  var isGenerating = false
  var sensorName: String?
  var sensorStatus = SensorStatus.absent
  /// The rate at which the sensor is sampled while the device moves, in hertz; 0 while it is not sampled.
  var sampleRate = 0.0
  /// What a person should know of the sensor, a sentence each.
  var sensorWarnings: [String] = []

  /// How it is mounted; nil if its samples have the screen's axes already.
  var mounting: Mounting?

  var hasAccelerometer: Bool { sensorName != nil }

  var tabletMode = TabletModeFinding()

  /// The properties of the device on D-Bus.
  static var table: [Property<Self>] {
    [
      Property("Orientation") { $0.orientation.rawValue },
      Property("OrientationName") { $0.orientation.name },
      Property("GeneratesDeviceOrientationNotifications") { $0.isGenerating },
      Property("HasAccelerometer") { $0.hasAccelerometer },
      Property("TabletMode") { $0.tabletMode.mode.rawValue },
      Property("TabletModeSource") { $0.tabletMode.source.rawValue },
    ]
  }

  /// The properties of the sensor on D-Bus.
  static var sensorTable: [Property<Self>] {
    [
      Property("Name") { $0.sensorName ?? "" },
      Property("Status") { $0.sensorStatus.rawValue },
      // It changes whenever a program reads motion, which is no news for all.
      Property("SampleRate", isAnnounced: false) { $0.sampleRate },
      Property("Warnings") { $0.sensorWarnings },
      Property("MountMatrix") { $0.mounting.map { "\($0.effective)" } ?? "" },
      Property("MountMatrixSource") { $0.mounting?.matrixSource?.rawValue ?? "" },
    ]
  }

  /// Whether `OrientationDidChange` is due after a change from `earlier`.
  ///
  /// A lost sensor is a change to unknown, which is signalled. The end of the last client's notifications is not: then there are no
  /// subscribers.
  func isOrientationSignalDue(since earlier: DeviceProperties) -> Bool {
    isGenerating && orientation != earlier.orientation
  }
}
