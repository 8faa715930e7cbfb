// SPDX-License-Identifier: Apache-2.0

package import IIO
import Orientation

/// The sensor that shows whether a machine is folded to a tablet.
package struct TabletModeSensor: Equatable, Sendable {
  /// The sensor; nil if there is none that can be used.
  package var sensor: AmbientSensor?
  /// What is wrong with an accelerometer in the base that is not used, or what the tablet mode needs besides, in sentences.
  package var warnings: [String] = []

  /// Uses the sensor that the catalog has chosen.
  ///
  /// - Parameters:
  ///   - catalog: the devices.
  ///   - configuration: how mount matrices are interpreted. Its own matrix, FaceAxis= and ScaleFactor= are those of the display's sensor.
  ///   - natural: the orientation of the device in which the panel is upright, and in which it stands as a laptop. The bottom edge has the
  ///     hinge then.
  package init(
    in catalog: SensorCatalog, configuration: Configuration, natural: DetectedNaturalOrientation
  ) {
    guard configuration.sensor.isOfThisMachine, let device = catalog.hinge else { return }
    sensor = AmbientSensor(hinge: device)
    let isLaptopUnknown = natural.laptop == nil && !natural.isAssumed
    let unknown =
      "the panel is higher than wide, and its orientation in the laptop is unknown: set LaptopOrientation="
    guard sensor == nil else {
      if isLaptopUnknown {
        warnings = [
          "the screen may be sideways at the start, and in laptop mode with FollowIn=tablet: \(unknown)"
        ]
      }
      return
    }
    let name = "\(device.displayName), in the base, is not used for the tablet mode"
    guard !isLaptopUnknown else {
      warnings = ["\(name): \(unknown)"]
      return
    }
    var configuration = configuration
    configuration.mountMatrix = nil
    configuration.faceAxis = .auto
    configuration.scaleFactor = 1
    let mounting = Mounting(of: device, configuration: configuration, natural: natural.orientation)
    // With another matrix than its own, a laptop could be taken for a tablet.
    guard mounting.warnings.isEmpty else {
      warnings = mounting.warnings.map { "\(name): \($0)" }
      return
    }
    sensor = AmbientSensor(
      base: device, mounted: BaseMounting(transform: mounting.transform, laptop: natural.home))
  }
}
