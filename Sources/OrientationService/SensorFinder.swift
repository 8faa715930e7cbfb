// SPDX-License-Identifier: Apache-2.0

// Which sensor, and how is it mounted? Runs on the sampler thread, because reading a slow hub's attributes takes long.
//
// The mount matrix is the configuration's, else udev's, else the driver's, else none. One that is malformed or
// singular is reported and the next one counts.

import IIO
import Orientation
import Systemd

/// Finds the sensor that the configuration asks for.
struct SensorFinder: Sendable {
  let configuration: Configuration

  /// Looks through the devices.
  func survey() -> SensorSurvey {
    do throws(SourceError) {
      switch configuration.sensor {
      case .automatic: return try survey(IIOContext.localSensors(udev: Self.udev), wanted: nil)
      case .named(let name): return try survey(IIOContext.localSensors(udev: Self.udev), wanted: name)
      case .network(let host): return try surveyNetwork(host)
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

  private func surveyNetwork(_ host: String) throws(SourceError) -> SensorSurvey {
    let context = try IIOContext.network(host: host, timeoutMilliseconds: NetworkSource.timeoutMilliseconds)
    let sensors = context.sensors { _ in UdevProperties() }
    var survey = survey(sensors, wanted: nil)
    if case .device(let description) = survey.sensor?.origin {
      survey.sensor?.origin = .network(description, host: host)
      survey.sensor?.name += " at \(host)"
    }
    return survey
  }

  private func survey(_ sensors: [SensorDescription], wanted: String?) -> SensorSurvey {
    let catalog = SensorCatalog(choosingAmong: sensors, wanted: wanted)
    guard let used = catalog.used else {
      guard let wanted else {
        return SensorSurvey(absence: .noAccelerometer(devices: sensors.map(\.displayName)))
      }
      let accelerometers = sensors.filter(\.isAccelerometer).map(\.displayName)
      return SensorSurvey(absence: .noSuchSensor(wanted: wanted, available: accelerometers))
    }
    let mounting = Mounting(of: used.sensor, configuration: configuration)
    return SensorSurvey(
      sensor: MountedSensor(
        origin: .device(used.sensor), name: used.sensor.displayName,
        reason: "\(used.verdict), \(mounting.source)", transform: mounting.transform),
      warnings: mounting.warnings)
  }

  /// Asks udev what it knows of a device; nothing, where there is no udev.
  private static func udev(_ sysfsPath: String) -> UdevProperties {
    UdevProperties(
      mountMatrix: (try? UdevDevice.property("ACCEL_MOUNT_MATRIX", ofSysfsPath: sysfsPath)) ?? nil,
      location: (try? UdevDevice.property("ACCEL_LOCATION", ofSysfsPath: sysfsPath)) ?? nil)
  }
}
