// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup
import Systemd

/// The sensor to be recorded, and what is known of it.
struct RecordedSensor {
  /// Where its samples come from.
  enum Origin {
    /// A device of this machine.
    case device(SensorDescription)
    /// A device of another machine.
    case network(SensorDescription, host: String)
    /// The simulated tablet.
    case simulation
  }

  /// Where its samples come from.
  let origin: Origin
  /// Its name, for people.
  let name: String
  /// From its axes to the screen's.
  let transform: ScreenTransform
  /// Its scales; nil where nothing is counted.
  let scales: SensorScales?
  /// What the file says of it, above the samples.
  let facts: [(name: String, value: String?)]

  /// Finds the sensor that the daemon would use.
  ///
  /// - Throws: ``CommandError`` where there is none, or `SourceError`.
  init(for configuration: Configuration) throws {
    switch configuration.sensor {
    case .replay(let path): throw CommandError("\(path) is a recording already; name a sensor by --sensor")
    case .simulated:
      origin = .simulation
      name = "the simulated tablet"
      transform = .identity
      scales = nil
      facts = [("sensor", "simulated: no real tablet")]
      return
    case .automatic, .named, .network: break
    }
    let catalog = try SensorCatalog(for: configuration)
    guard let used = catalog.used, case .used(let reason) = used.verdict else {
      throw CommandError(catalog.absence.map { $0.printable } ?? "there is no accelerometer")
    }
    let sensor = used.sensor
    let natural = NaturalOrientationFinding(by: configuration.naturalOrientation)
    let mounting = Mounting(of: sensor, configuration: configuration, natural: natural.orientation)
    if case .network(let host) = configuration.sensor {
      origin = .network(sensor, host: host)
      name = "\(sensor.displayName) at \(host)"
      let context = try IIOContext.network(
        host: host, timeoutMilliseconds: NetworkSource.timeoutMilliseconds)
      scales = try SensorScales(of: sensor, in: context)
    } else {
      origin = .device(sensor)
      name = sensor.displayName
      guard let context = try IIOContext.local() else { throw SourceError.vanished(device: name) }
      scales = try SensorScales(of: sensor, in: context)
    }
    transform = mounting.transform
    facts =
      [("sensor", name), ("chosen", "\(reason)"), ("natural orientation", "\(natural)")]
      + Self.facts(of: sensor)
      + Self.facts(of: mounting, scales: scales, configuration: configuration)
  }

  private static func facts(of sensor: SensorDescription) -> [(name: String, value: String?)] {
    let chip = sensor.sysfsPath.map { Chip(ofDevice: $0) }
    return [
      ("label", sensor.label), ("location", sensor.udev.location ?? sensor.location),
      ("path", sensor.sysfsPath), ("driver", chip?.driver), ("modalias", chip?.modalias),
      ("scan formats", sensor.scanFormats.joined(separator: ", ")),
    ]
  }

  private static func facts(
    of mounting: Mounting, scales: SensorScales?, configuration: Configuration
  ) -> [(name: String, value: String?)] {
    let axes = scales.map { [$0.x, $0.y, $0.z] } ?? []
    return [
      ("scale", axes.map { "\($0.scale)" }.joined(separator: ", ")),
      ("offset", axes.map { "\($0.offset)" }.joined(separator: ", ")),
      ("mount matrix", mounting.origin.map { "\(mounting.matrix) from \($0)" } ?? "none"),
      (
        "convention",
        "AxisConvention=\(configuration.axisConvention.rawValue) FaceAxis=\(configuration.faceAxis.rawValue)"
      ),
      ("screen axes", ScreenAxes(of: mounting.panelTransform).text),
    ] + mounting.warnings.map { ("warning", $0) }
  }
}
