// SPDX-License-Identifier: Apache-2.0

// Which sensor, and how is it mounted? Runs on the sampler thread, because reading a slow hub's attributes takes long.
//
// The mount matrix is the configuration's, else udev's, else the driver's, else none. One that is malformed or
// singular is reported and the next one counts. It leads to the panel's axes, which a panel that is at home in landscape
// has turned against the device's.

import IIO
import Orientation
import SensorSetup

/// Finds the sensor that the configuration asks for.
struct SensorFinder: Sendable {
  private var configuration: Configuration
  /// The device that the last look chose.
  private var known: SensorDescription?
  /// What the panel said, which holds from then on: one that is off with its lid closed is the same panel.
  private var natural: NaturalOrientationFinding?

  init(configuration: Configuration) {
    self.configuration = configuration
  }

  /// Goes by another configuration from here on.
  mutating func reconfigure(_ configuration: Configuration) {
    if configuration.naturalOrientation != self.configuration.naturalOrientation { natural = nil }
    self.configuration = configuration
  }

  /// Whether the panel says something else than at the last look.
  mutating func findsPanel() -> Bool {
    let before = natural
    return lookAtPanel() != before
  }

  private mutating func lookAtPanel() -> NaturalOrientationFinding {
    if let natural, !natural.isAssumed { return natural }
    let finding = NaturalOrientationFinding(by: configuration.naturalOrientation)
    natural = finding
    return finding
  }

  /// Looks through the devices.
  mutating func survey() -> SensorSurvey {
    let natural = lookAtPanel()
    do throws(SourceError) {
      switch configuration.sensor {
      case .automatic, .named, .network:
        return survey(try SensorCatalog(for: configuration, known: known), natural)
      case .replay(let path):
        return inScreenFrame(.recording(path: path), name: "replay of \(path)", natural)
      case .simulated: return inScreenFrame(.simulation, name: "simulated tablet", natural)
      }
    } catch {
      return SensorSurvey(natural: natural, absence: error)
    }
  }

  /// What there is to say when the machine that has the sensor is lost.
  mutating func unreachable(_ error: SourceError) -> SensorSurvey {
    SensorSurvey(natural: lookAtPanel(), absence: error)
  }

  /// Recordings and the simulated tablet speak of the device in portrait already, whatever the panel's upright.
  private func inScreenFrame(
    _ origin: MountedSensor.Origin, name: String, _ natural: NaturalOrientationFinding
  ) -> SensorSurvey {
    SensorSurvey(
      natural: natural,
      sensor: MountedSensor(origin: origin, name: name, reason: "asked for", transform: .identity))
  }

  private mutating func survey(
    _ catalog: SensorCatalog, _ natural: NaturalOrientationFinding
  ) -> SensorSurvey {
    known = catalog.used?.sensor
    guard let used = catalog.used, case .used(let reason) = used.verdict else {
      return SensorSurvey(natural: natural, absence: catalog.absence, refusal: catalog.refusal)
    }
    let mounting = Mounting(
      of: used.sensor, configuration: configuration, natural: natural.orientation)
    var sensor = MountedSensor(
      origin: .device(used.sensor), name: used.sensor.displayName,
      reason: "\(reason), \(mounting.source)", transform: mounting.transform)
    if case .network(let host) = configuration.sensor {
      sensor.origin = .network(used.sensor, host: host)
      sensor.name += " at \(host)"
    }
    return SensorSurvey(
      natural: natural, sensor: sensor, warnings: mounting.warnings, refusal: catalog.refusal)
  }
}
