// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup
import Systemd

/// A device, and whether and how the daemon would use it, as text or as JSON.
struct SensorReport {
  private let sensor: SensorDescription
  private let verdict: SensorCatalog.Verdict
  private let mounting: Mounting
  private let wantedRate: Double
  private let showsTabletMode: Bool
  private let isGyroscope: Bool
  private let warnings: [String]

  init(
    entry: SensorCatalog.Entry, configuration: Configuration, natural: NaturalOrientation,
    showsTabletMode: Bool, isGyroscope: Bool = false, set: Mounting.Candidate? = nil, remarks: [String] = []
  ) {
    sensor = entry.sensor
    verdict = entry.verdict
    let mounting = Mounting(
      of: entry.sensor, configuration: configuration, natural: natural, set: set)
    self.mounting = mounting
    warnings = mounting.warnings + remarks.filter { !mounting.warnings.contains($0) }
    wantedRate = configuration.sampleRate
    self.showsTabletMode = showsTabletMode
    self.isGyroscope = isGyroscope
  }

  /// The name with the id, for people.
  var name: String { sensor.displayName.printable }

  /// The IIO id, such as "iio:device0".
  var id: String { sensor.id }

  /// Whether the daemon uses it.
  var isUsed: Bool {
    if case .used = verdict { true } else { false }
  }

  /// The report for people.
  var text: String {
    var table = FieldTable(indentation: "  ")
    table.add("Verdict", verdictText)
    if isGyroscope { table.add("Gyroscope", "used for programs that read motion") }
    table.add("Label", sensor.label)
    table.add("Location", sensor.udev.location.map { "\($0) (udev)" } ?? sensor.location)
    if sensor.isRemovable { table.add("Port", "removable") }
    if sensor.isAccelerometer {
      table.add("Mount matrix", mounting.matrixText)
      for matrix in mounting.unused { table.add("Unused matrix", "\(matrix.matrix) from \(matrix.origin)") }
      for warning in warnings { table.add("Warning", warning) }
      table.add("Screen axes", ScreenAxes(of: mounting.panelTransform).text)
      table.add("Frequencies", frequenciesText)
      table.add("Samples", deliveryText)
      table.add("Scan formats", scanFormatsText)
    }
    table.add("Path", sensor.sysfsPath)
    return "\(name)\n\(table.text())"
  }

  private var verdictText: String {
    guard showsTabletMode else { return "\(verdict)" }
    guard case .elsewhere(.base, let evidence) = verdict else {
      return "used for the tablet mode: the hinge's angle"
    }
    return "used for the tablet mode: in the base (\(evidence))"
  }

  private var frequenciesText: String {
    let now = sensor.frequency.map { "; \(shortDecimal($0)) Hz at present" } ?? ""
    let choice = shortDecimal(sensor.availableFrequencies.choice(for: wantedRate))
    switch sensor.availableFrequencies {
    case .list(let frequencies):
      return "\(frequencies.map(shortDecimal).joined(separator: ", ")) Hz\(now); used: \(choice) Hz"
    case .range(let minimum, let step, let maximum):
      let range =
        "\(shortDecimal(minimum)) to \(shortDecimal(maximum)) Hz in steps of \(shortDecimal(step)) Hz"
      return "\(range)\(now); used: \(choice) Hz"
    case .unknown:
      return "not listed by the driver\(now); used: \(choice) Hz"
    }
  }

  private var scanFormatsText: String? {
    guard let first = sensor.scanFormats.first else { return nil }
    let isSame = sensor.scanFormats.allSatisfy { $0 == first }
    return isSame ? "\(first) for x, y and z" : sensor.scanFormats.joined(separator: ", ") + " for x, y and z"
  }

  private var deliveryText: String {
    switch sensor.buffering {
    case _ where sensor.interface != .iio: "polled: it is an input device"
    case .none where sensor.sysfsPath == nil: "polled through iiod"
    case .none: "polled: the driver has no buffer"
    case .scanElements(nil): "buffered, if a trigger is found or none is needed; else polled"
    case .scanElements(let trigger?): "buffered, clocked by the trigger \(trigger)"
    }
  }

  /// The report for programs.
  var json: JSON {
    var members: [JSON.Member] = [
      ("id", .string(sensor.id)), ("name", JSON(sensor.name)), ("label", JSON(sensor.label)),
      ("location", JSON(sensor.udev.location ?? sensor.location)),
      ("removable", .bool(sensor.isRemovable)), ("path", JSON(sensor.sysfsPath)),
      ("accelerometer", .bool(sensor.isAccelerometer)),
      ("used", .bool(isUsed)), ("verdict", .string(verdictText)),
      ("used_for_tablet_mode", .bool(showsTabletMode)), ("used_as_gyroscope", .bool(isGyroscope)),
    ]
    if sensor.isAccelerometer { members += accelerometerMembers }
    return .object(members)
  }

  private var accelerometerMembers: [JSON.Member] {
    [
      ("mount_matrix", JSON(mounting.origin.map { _ in "\(mounting.matrix)" })),
      ("mount_matrix_source", JSON(mounting.origin)),
      (
        "unused_mount_matrices",
        .array(
          mounting.unused.map {
            .object([("matrix", .string("\($0.matrix)")), ("source", .string($0.origin))])
          })
      ),
      ("warnings", .array(warnings.map(JSON.string))),
      ("screen_axes", ScreenAxes(of: mounting.panelTransform).json),
      ("frequency_hz", sensor.frequency.map(JSON.number) ?? .null),
      ("available_frequencies_hz", availableFrequenciesJSON),
      ("chosen_frequency_hz", .number(sensor.availableFrequencies.choice(for: wantedRate))),
      ("buffered", .bool(sensor.buffering != .none)),
      ("trigger", triggerJSON),
      ("scan_formats", .array(sensor.scanFormats.map(JSON.string))),
    ]
  }

  private var availableFrequenciesJSON: JSON {
    switch sensor.availableFrequencies {
    case .list(let frequencies): .array(frequencies.map(JSON.number))
    case .range(let minimum, let step, let maximum):
      .object([
        ("minimum", .number(minimum)), ("step", .number(step)), ("maximum", .number(maximum)),
      ])
    case .unknown: .null
    }
  }

  private var triggerJSON: JSON {
    if case .scanElements(let trigger) = sensor.buffering { JSON(trigger) } else { .null }
  }
}
