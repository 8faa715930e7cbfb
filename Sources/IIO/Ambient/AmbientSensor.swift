// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// A sensor that measures light, proximity, a heading or the angle of a hinge: a channel of a device.
///
/// Two are equal if sampling them is the same.
package struct AmbientSensor: Sendable {
  /// The device, of this machine.
  package let device: SensorDescription
  /// Its channel.
  package let channel: AmbientChannel
  /// How it is mounted, if it is the accelerometer in the base, whose gravity is compared with the display's; nil for others.
  package let base: BaseMounting?

  init(device: SensorDescription, channel: AmbientChannel, base: BaseMounting? = nil) {
    self.device = device
    self.channel = channel
    self.base = base
  }

  /// The kind of sensor that it is.
  package var kind: AmbientSensorKind { channel.measure.kind }
  /// The quantity that it measures, with its unit.
  package var measure: AmbientMeasure { channel.measure }
  /// The name and the id, for display.
  package var name: String { device.displayName }

  /// Whether it is sampled through the buffer of its device, as long as that works.
  ///
  /// This is so only for hubs: their buffers are silent while nothing changes. Other sensors would need a trigger, which
  /// causes as many wakeups as polling, and would refuse reads of their attributes meanwhile, which another kind of sensor
  /// of the same device may need.
  package var isBuffered: Bool {
    device.isOfHub && channel.isScanElement && channel.attribute == .raw
  }
}

extension IIOMachine {
  /// Describes every sensor that measures light, proximity or a heading: at most one of a kind for each device.
  package func ambientSensors(udev: UdevLookup) -> [AmbientSensor] {
    sensors(udev: udev).flatMap { sensor in
      sensor.device.ambientChannels(udevNearLevel: sensor.udev.proximityNearLevel)
        .map { AmbientSensor(device: sensor, channel: $0) }
    }
  }
}

extension AmbientSensor: Equatable {
  /// Whether sampling the two is the same.
  package static func == (left: Self, right: Self) -> Bool {
    left.channel == right.channel && left.base == right.base && left.device.id == right.device.id
      && left.device.name == right.device.name
      && left.device.sysfsPath == right.device.sysfsPath && left.device.instance == right.device.instance
      && left.isBuffered == right.isBuffered
  }
}

// The two sensors that show whether a convertible is folded. They are not found by AmbientCatalog: SensorCatalog chooses them, beside
// the display's accelerometer.
extension AmbientSensor {
  /// The sensor of a hinge's angle; nil if the device is none.
  package init?(hinge device: SensorDescription) {
    guard let channel = device.hingeChannel else { return nil }
    self.init(
      device: device,
      // It is polled, because not every such sensor can report changes.
      channel: AmbientChannel(measure: .hingeAngle, id: channel, attribute: .raw, isScanElement: false))
  }

  /// The accelerometer in the base.
  package init(base device: SensorDescription, mounted mounting: BaseMounting) {
    self.init(
      device: device,
      channel: AmbientChannel(
        measure: .hingeAngle, id: Axis.x.channel, attribute: .raw, isScanElement: false),
      base: mounting)
  }

  /// What the mode of a convertible is derived from if it is this sensor.
  package var tabletModeSource: TabletModeSource { base == nil ? .hinge : .accelerometers }
}
