// SPDX-License-Identifier: Apache-2.0

/// A sensor that measures light, proximity or a heading: a channel of a device.
///
/// Two are equal where sampling them is the same.
public struct AmbientSensor: Sendable {
  /// The device, of this machine.
  public let device: SensorDescription
  /// Its channel.
  public let channel: AmbientChannel

  /// The kind of sensor that it is.
  public var kind: AmbientSensorKind { channel.measure.kind }
  /// What it measures, and in which unit.
  public var measure: AmbientMeasure { channel.measure }
  /// The name and the id, for people.
  public var name: String { device.displayName }

  /// Whether it is sampled through the buffer of its device, as long as that works.
  ///
  /// Only hubs are: their buffers are silent while nothing changes. Others would need a trigger that wakes them up as often
  /// as polling does, and refuse to have their attributes read meanwhile, which another kind of sensor of the same device
  /// may need.
  package var isBuffered: Bool {
    IIODevice.isHub(name: device.name) && channel.isScanElement && channel.attribute == .raw
  }
}

extension AmbientSensor: Equatable {
  /// Whether sampling the one is sampling the other.
  public static func == (left: Self, right: Self) -> Bool {
    left.channel == right.channel && left.device.id == right.device.id
      && left.device.name == right.device.name
      && left.device.sysfsPath == right.device.sysfsPath && left.device.instance == right.device.instance
      && left.isBuffered == right.isBuffered
  }
}
