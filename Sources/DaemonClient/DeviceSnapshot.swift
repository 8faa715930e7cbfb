// SPDX-License-Identifier: Apache-2.0

package import Orientation
package import Systemd

/// The properties of `org.orientationd1.Device` and `org.orientationd1.Sensor`, as far as the daemon has sent them.
package struct DeviceSnapshot: Equatable, Sendable {
  /// How the device is held: `Orientation`.
  package var orientation = DeviceOrientation.unknown
  /// Whether there are subscribers, for which the sensor runs: `GeneratesDeviceOrientationNotifications`.
  package var isGenerating = false
  /// Whether there is a sensor: `HasAccelerometer`.
  package var hasAccelerometer = false
  /// The name of the sensor, `Name`; empty if there is none.
  package var sensorName = ""
  /// A word of `SensorStatus`, `Status`; a string, because a newer daemon may have more words.
  package var sensorStatus = ""
  /// `SampleRate`, the rate while the device moves, in hertz, when it was read last; 0 while the sensor is not sampled.
  package var sampleRate = 0.0
  /// What is doubtful about the sensor, a sentence each for people, in English: `Warnings`.
  package var sensorWarnings: [String] = []
  /// How the sensor is mounted, `MountMatrix`: nine numbers; empty without a sensor, and from a daemon that does not tell.
  package var mountMatrix = ""
  /// Where that comes from, a word of `MatrixSource`; a string, as with ``sensorStatus``; empty from nowhere.
  package var mountMatrixSource = ""
  /// The version of the daemon, `Version`; empty if the daemon has not sent it.
  package var version = ""
  /// A word of `TabletMode`; a string, because a newer daemon may have more words.
  package var tabletMode = TabletMode.unknown.rawValue
  /// A word of `TabletModeSource`; a string, as with ``tabletMode``.
  package var tabletModeSource = TabletModeSource.none.rawValue

  /// Creates the values before the daemon has sent any.
  package init() {}

  /// Where the mount matrix comes from; nil from nowhere, and for a word of a newer daemon.
  package var matrixSource: MatrixSource? { MatrixSource(rawValue: mountMatrixSource) }

  /// Whether the same sensor is mounted in the same way: readings of both are in the same axes.
  package func hasMounting(of other: DeviceSnapshot) -> Bool {
    sensorName == other.sensorName && mountMatrix == other.mountMatrix
  }

  /// The tablet mode, unknown also for a word of a newer daemon.
  package var mode: TabletMode { TabletMode(rawValue: tabletMode) ?? .unknown }
}

extension DeviceSnapshot: DaemonProperties {
  /// Reads or skips a property, the variant that is next.
  package mutating func update(_ name: String, from message: borrowing Message) throws(BusError) {
    switch name {
    case "Orientation":
      orientation = DeviceOrientation(rawValue: try message.readVariant()) ?? .unknown
    case "GeneratesDeviceOrientationNotifications": isGenerating = try message.readVariant()
    case "HasAccelerometer": hasAccelerometer = try message.readVariant()
    case "Name": sensorName = try message.readVariant()
    case "Status": sensorStatus = try message.readVariant()
    case "Warnings": sensorWarnings = try message.readVariant()
    case "MountMatrix": mountMatrix = try message.readVariant()
    case "MountMatrixSource": mountMatrixSource = try message.readVariant()
    case "TabletMode": tabletMode = try message.readVariant()
    case "TabletModeSource": tabletModeSource = try message.readVariant()
    case "Version": version = try message.readVariant()
    case "SampleRate": sampleRate = try message.readVariant()
    default: try message.skip("v")
    }
  }
}
