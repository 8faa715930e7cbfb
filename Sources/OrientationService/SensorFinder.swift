// SPDX-License-Identifier: Apache-2.0

// Which sensor, and how is it mounted? Runs on the sampler thread, because reading a slow hub's attributes takes long.
//
// The mount matrix is the configuration's, else udev's, else the driver's, else none. One that is malformed or
// singular is reported and the next one counts.

import IIO
import Orientation

/// Finds the sensor that the configuration asks for.
struct SensorFinder: Sendable {
  let configuration: Configuration

  /// Looks through the devices.
  func survey() -> SensorSurvey {
    do throws(SourceError) {
      switch configuration.sensor {
      case .automatic, .named, .network: return survey(try SensorCatalog(for: configuration))
      case .replay(let path): return inScreenFrame(.recording(path: path), name: "replay of \(path)")
      case .simulated: return inScreenFrame(.simulation, name: "simulated tablet")
      }
    } catch {
      return SensorSurvey(absence: error)
    }
  }

  private func inScreenFrame(_ origin: MountedSensor.Origin, name: String) -> SensorSurvey {
    SensorSurvey(
      sensor: MountedSensor(origin: origin, name: name, reason: "asked for", transform: .identity))
  }

  private func survey(_ catalog: SensorCatalog) -> SensorSurvey {
    guard let used = catalog.used, case .used(let reason) = used.verdict else {
      return SensorSurvey(absence: catalog.absence)
    }
    let mounting = Mounting(of: used.sensor, configuration: configuration)
    var sensor = MountedSensor(
      origin: .device(used.sensor), name: used.sensor.displayName,
      reason: "\(reason), \(mounting.source)", transform: mounting.transform)
    if case .network(let host) = configuration.sensor {
      sensor.origin = .network(used.sensor, host: host)
      sensor.name += " at \(host)"
    }
    return SensorSurvey(sensor: sensor, warnings: mounting.warnings)
  }
}
