// SPDX-License-Identifier: Apache-2.0

import Evdev
import IIO
import Orientation
import SensorSetup
import Systemd

/// What the daemon derives the tablet mode of this machine from.
struct TabletModeOrigin {
  /// The source.
  let source: TabletModeSource
  /// The input device or the IIO device, such as "event5" or "iio:device1"; nil if there is none.
  let device: String?
  /// The sentence about it, for people.
  let text: String

  /// Looks for a switch; without one, the catalog's sensor is used.
  init(of catalog: SensorCatalog, configuration: Configuration, natural: DetectedNaturalOrientation) {
    let inputs = InputDeviceDescription.ids().sorted().compactMap { InputDeviceDescription(id: $0) }
    let used = configuration.tabletModeSwitch ? inputs : []
    if let input = used.first(where: { $0.controls.contains(.tabletModeSwitch) }) {
      (source, device) = (.switch, input.id)
      text = "The tablet mode is that of the switch \(input.name.printable) (\(input.id))."
      return
    }
    let choice = TabletModeSensor(in: catalog, configuration: configuration, natural: natural)
    guard let sensor = choice.sensor else {
      (source, device) = (.none, nil)
      let nothing =
        "The tablet mode is unknown: no switch that is used, no hinge sensor, and no second accelerometer in the base."
      text = choice.warnings.first.map { "The tablet mode is unknown: \($0.printable)." } ?? nothing
      return
    }
    (source, device) = (sensor.tabletModeSource, sensor.device.id)
    text =
      sensor.base == nil
      ? "The tablet mode is that of the hinge sensor \(sensor.name.printable)."
      : "The tablet mode is that of the angle between the display and the base, which has"
        + " \(sensor.name.printable)."
  }

  /// What is wrong with the sensor of this machine that could show it, by the system's configuration; nil if there is no such sensor.
  static var problem: String? {
    let configuration = Configuration.loadSystem().0
    guard configuration.sensor.isOfThisMachine, let catalog = try? SensorCatalog(for: configuration) else {
      return nil
    }
    let natural = DetectedNaturalOrientation(
      by: configuration.naturalOrientation, laptop: configuration.laptopOrientation)
    return TabletModeSensor(in: catalog, configuration: configuration, natural: natural).warnings.first
  }

  /// Whether it is derived from this sensor.
  func isSensor(_ other: SensorDescription) -> Bool { source != .switch && device == other.id }
}
