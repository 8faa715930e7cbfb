// SPDX-License-Identifier: Apache-2.0

// Finds the sensor and its mounting. The daemon does this on the sampler thread, because reading the attributes of a slow
// hub takes long.
//
// The mount matrix is that of the configuration, or else one that a person has set, udev's or the driver's, or none. A malformed
// matrix is reported, and the next one is used; of a singular one, two rows are. It leads to the panel's axes, which for a panel
// whose own upright is landscape are turned compared with the device's.

package import IIO
import Orientation

/// Finds the sensor of the configuration.
package struct SensorFinder: Sendable {
  private var configuration: Configuration
  private var matrices: SetMatrices
  /// The device that the last scan chose.
  private var known: SensorDescription?
  /// The orientation from the panel, which stays in use: a panel that is off with its lid closed is the same panel.
  private var natural: DetectedNaturalOrientation?

  /// Prepares to find the sensor of a configuration.
  package init(configuration: Configuration, matrices: SetMatrices = SetMatrices()) {
    self.configuration = configuration
    self.matrices = matrices
  }

  /// Uses another configuration, and other matrices that people have set, from now on.
  package mutating func reconfigure(_ configuration: Configuration, matrices: SetMatrices) {
    self.matrices = matrices
    let before = self.configuration
    if configuration.naturalOrientation != before.naturalOrientation
      || configuration.laptopOrientation != before.laptopOrientation
    {
      natural = nil
    }
    self.configuration = configuration
  }

  /// Whether the panel's orientation differs from that of the last scan.
  package mutating func findsPanel() -> Bool {
    let before = natural
    return lookAtPanel() != before
  }

  private mutating func lookAtPanel() -> DetectedNaturalOrientation {
    if let natural, !natural.isAssumed, natural.laptop?.isAssumed == false { return natural }
    let finding = DetectedNaturalOrientation(
      by: configuration.naturalOrientation, laptop: configuration.laptopOrientation)
    if let natural, !natural.isAssumed, finding.isAssumed { return natural }
    natural = finding
    return finding
  }

  /// Scans the devices.
  package mutating func rescan() -> SensorScan {
    let natural = lookAtPanel()
    do throws(SourceError) {
      switch configuration.sensor {
      case .automatic, .named, .remote:
        return scan(try SensorCatalog(for: configuration, known: known), natural)
      case .replay(let path):
        // Like a device, a recording that cannot be used is known before there is a subscriber.
        try Recording.check(path)
        let name = "replay of \(path)"
        return SensorScan(
          natural: natural,
          sensor: MountedSensor(origin: .recording(path: path), name: name, choice: "requested"))
      case .simulated:
        return SensorScan(
          natural: natural,
          sensor: MountedSensor(origin: .simulation, name: "simulated tablet", choice: "requested"))
      }
    } catch {
      return SensorScan(natural: natural, absence: error)
    }
  }

  /// The result when the machine that has the sensor cannot be reached.
  package mutating func unreachable(_ error: SourceError) -> SensorScan {
    SensorScan(natural: lookAtPanel(), absence: error)
  }

  private mutating func scan(
    _ catalog: SensorCatalog, _ natural: DetectedNaturalOrientation
  ) -> SensorScan {
    known = catalog.used?.sensor
    let tabletMode = TabletModeSensor(
      in: catalog, configuration: configuration, natural: natural)
    let model = catalog.used?.sensor.model
    let mountingOfUsed = catalog.used.map {
      Mounting(
        of: $0.sensor, configuration: configuration, natural: natural.orientation,
        set: matrices.candidate(for: model))
    }
    let rates = GyroscopeFinding(
      in: catalog, beside: mountingOfUsed, configuration: configuration, natural: natural.orientation)
    var scan = SensorScan(
      natural: natural, absence: catalog.absence, warnings: rates.warnings, refusal: catalog.refusal,
      hinge: tabletMode.sensor, gyroscope: rates.gyroscope)
    guard let used = catalog.used, case .used(let reason) = used.verdict, let mounting = mountingOfUsed
    else { return scan }
    var sensor = MountedSensor(
      origin: .device(used.sensor), name: used.sensor.displayName,
      choice: "\(reason)", mounting: mounting, model: model)
    if case .remote(let address) = configuration.sensor {
      sensor.origin = .remote(used.sensor, address)
      sensor.name += " at \(address)"
    }
    scan.sensor = sensor
    scan.warnings = catalog.warnings + mounting.warnings + tabletMode.warnings + rates.warnings
    return scan
  }
}

/// The result of a scan of the devices.
package struct SensorScan: Equatable, Sendable {
  /// The orientation of the device when its panel is upright; the sensor's axes were turned by it.
  package var natural: DetectedNaturalOrientation
  /// The sensor that is used; nil if there is none.
  package var sensor: MountedSensor?
  /// Why there is none; nil if there is one.
  package var absence: SourceError?
  /// Messages for the administrator: a matrix that was refused, a choice that is a guess.
  package var warnings: [String] = []
  /// Why libiio refuses the machine; nil if it does not.
  package var refusal: LibiioFailure?
  /// The sensor that shows whether the machine is folded to a tablet; nil if there is none.
  package var hinge: AmbientSensor?
  /// The gyroscope; nil if there is none.
  package var gyroscope: MountedGyroscope?

  /// Whether there is no sensor because the other machine cannot be reached.
  package var isUnreachable: Bool {
    if case .unreachable = absence { true } else { false }
  }

  /// Whether only another attempt shows that there is a sensor: udev reports neither another machine nor a file.
  package var needsRetry: Bool {
    if case .unreadableRecording = absence { true } else { isUnreachable }
  }

  /// What happens next if there is no sensor, for display.
  package var outlook: String {
    switch absence {
    case .unreachable, .unreadableRecording: "retrying while there are subscribers"
    case .ambiguousSensor: "none is used"
    default: "waiting for one to appear"
    }
  }
}
