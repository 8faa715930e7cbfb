// SPDX-License-Identifier: Apache-2.0

package import Orientation

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

/// How the accelerometer in the base is mounted, and where the hinge is.
package struct BaseMounting: Equatable, Sendable, BitwiseCopyable {
  /// From the chip's axes to those that the screen has when the hinge is open by 180 degrees.
  package let transform: ScreenTransform
  /// The orientation of the device whose bottom edge has the hinge.
  package let laptop: NaturalOrientation

  /// Creates a mounting.
  package init(transform: ScreenTransform, laptop: NaturalOrientation) {
    self.transform = transform
    self.laptop = laptop
  }
}
