// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The sensor that shows whether a machine is folded to a tablet.
package struct TabletModeSensor: Equatable, Sendable {
  /// The sensor; nil if there is none that can be used.
  package var sensor: AmbientSensor?
  /// What is wrong with an accelerometer in the base that is not used, in sentences.
  package var warnings: [String] = []

  /// There is none.
  package init() {}

  /// Uses the sensor that the catalog has chosen.
  ///
  /// - Parameters:
  ///   - catalog: the devices.
  ///   - configuration: how mount matrices are interpreted. Its own matrix is that of the display's accelerometer.
  ///   - natural: the orientation of the device whose bottom edge has the hinge.
  package init(in catalog: SensorCatalog, configuration: Configuration, natural: NaturalOrientation) {
    guard configuration.sensor.isOfThisMachine, let device = catalog.hinge else { return }
    sensor = AmbientSensor(hinge: device)
    guard sensor == nil else { return }
    var configuration = configuration
    configuration.mountMatrix = nil
    let mounting = Mounting(of: device, configuration: configuration, natural: natural)
    // With another matrix than its own, a laptop could be taken for a tablet.
    guard mounting.warnings.isEmpty else {
      warnings = mounting.warnings.map {
        "\(device.displayName), in the base, is not used for the tablet mode: \($0)"
      }
      return
    }
    sensor = AmbientSensor(
      base: device, mounted: BaseMounting(transform: mounting.transform, natural: natural))
  }
}
