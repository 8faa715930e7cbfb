// SPDX-License-Identifier: Apache-2.0

// Which sensor, and how is it mounted? The daemon asks on the sampler thread, because reading a slow hub's attributes takes long.
//
// The mount matrix is the configuration's, else udev's, else the driver's, else none. One that is malformed or
// singular is reported and the next one counts. It leads to the panel's axes, which a panel that is at home in landscape
// has turned against the device's.

package import IIO
import Orientation

/// Finds the sensor that the configuration asks for.
package struct SensorFinder: Sendable {
  private var configuration: Configuration
  /// The device that the last look chose.
  private var known: SensorDescription?
  /// What the panel said, which holds from then on: one that is off with its lid closed is the same panel.
  private var natural: DetectedNaturalOrientation?

  /// Prepares to look by a configuration.
  package init(configuration: Configuration) {
    self.configuration = configuration
  }

  /// Goes by another configuration from here on.
  package mutating func reconfigure(_ configuration: Configuration) {
    if configuration.naturalOrientation != self.configuration.naturalOrientation { natural = nil }
    self.configuration = configuration
  }

  /// Whether the panel says something else than at the last look.
  package mutating func findsPanel() -> Bool {
    let before = natural
    return lookAtPanel() != before
  }

  private mutating func lookAtPanel() -> DetectedNaturalOrientation {
    if let natural, !natural.isAssumed { return natural }
    let finding = DetectedNaturalOrientation(by: configuration.naturalOrientation)
    natural = finding
    return finding
  }

  /// Looks through the devices.
  package mutating func rescan() -> SensorScan {
    let natural = lookAtPanel()
    do throws(SourceError) {
      switch configuration.sensor {
      case .automatic, .named, .network:
        return scan(try SensorCatalog(for: configuration, known: known), natural)
      case .replay(let path):
        return inScreenFrame(.recording(path: path), name: "replay of \(path)", natural)
      case .simulated: return inScreenFrame(.simulation, name: "simulated tablet", natural)
      }
    } catch {
      return SensorScan(natural: natural, absence: error)
    }
  }

  /// What there is to say when the machine that has the sensor is lost.
  package mutating func unreachable(_ error: SourceError) -> SensorScan {
    SensorScan(natural: lookAtPanel(), absence: error)
  }

  /// Recordings and the simulated tablet speak of the device in portrait already, whatever the panel's upright.
  private func inScreenFrame(
    _ origin: SensorOrigin, name: String, _ natural: DetectedNaturalOrientation
  ) -> SensorScan {
    SensorScan(
      natural: natural, sensor: MountedSensor(origin: origin, name: name, choice: "asked for"))
  }

  private mutating func scan(
    _ catalog: SensorCatalog, _ natural: DetectedNaturalOrientation
  ) -> SensorScan {
    known = catalog.used?.sensor
    guard let used = catalog.used, case .used(let reason) = used.verdict else {
      return SensorScan(natural: natural, absence: catalog.absence, refusal: catalog.refusal)
    }
    let mounting = Mounting(
      of: used.sensor, configuration: configuration, natural: natural.orientation)
    var sensor = MountedSensor(
      origin: .device(used.sensor), name: used.sensor.displayName,
      choice: "\(reason)", mounting: mounting)
    if case .network(let host) = configuration.sensor {
      sensor.origin = .network(used.sensor, host: host)
      sensor.name += " at \(host)"
    }
    return SensorScan(
      natural: natural, sensor: sensor, warnings: mounting.warnings, refusal: catalog.refusal)
  }
}

/// What a look through the devices found.
package struct SensorScan: Equatable, Sendable {
  /// How the device is held when its panel stands upright, which the sensor's axes were turned by.
  package var natural: DetectedNaturalOrientation
  /// The sensor that would be used; nil where there is none.
  package var sensor: MountedSensor?
  /// Why there is none; nil where there is one.
  package var absence: SourceError?
  /// What to tell the administrator: a matrix that was refused.
  package var warnings: [String]
  /// Why libiio refuses the machine; nil where it does not.
  package var refusal: LibiioFailure?

  /// Creates what was found.
  package init(
    natural: DetectedNaturalOrientation, sensor: MountedSensor? = nil, absence: SourceError? = nil,
    warnings: [String] = [], refusal: LibiioFailure? = nil
  ) {
    self.natural = natural
    self.sensor = sensor
    self.absence = absence
    self.warnings = warnings
    self.refusal = refusal
  }

  /// Whether there is none because the other machine cannot be reached.
  package var isUnreachable: Bool {
    if case .unreachable = absence { true } else { false }
  }

  /// What happens next where there is none, for people.
  package var outlook: String {
    switch absence {
    case .unreachable: "retrying while there are subscribers"
    case .ambiguousSensor: "none is used"
    default: "waiting for one to appear"
    }
  }
}
