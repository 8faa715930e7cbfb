// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

extension SensorCatalog {
  /// Chooses the sensor that shows whether this machine is folded to a tablet.
  ///
  /// - Parameters:
  ///   - configuration: how mount matrices are interpreted. Its own matrix is that of the display's accelerometer.
  ///   - natural: the orientation of the device whose bottom edge has the hinge.
  /// - Returns: the sensor; nil if there is none.
  package func tabletModeSensor(
    for configuration: Configuration, natural: NaturalOrientation
  ) -> AmbientSensor? {
    guard configuration.sensor.isOfThisMachine, let device = hinge else { return nil }
    if let hinge = AmbientSensor(hinge: device) { return hinge }
    var configuration = configuration
    configuration.mountMatrix = nil
    let mounting = Mounting(of: device, configuration: configuration, natural: natural)
    // Without its matrix, a laptop could be taken for a tablet.
    guard mounting.warnings.isEmpty else { return nil }
    return AmbientSensor(base: device, mounted: BaseMounting(transform: mounting.transform, natural: natural))
  }
}
