// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonClient
import Following
import IIO
import Orientation
import SensorSetup
import Systemd

/// `orientationctl sensors`: lists the devices, and shows which one the daemon uses.
struct SensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "List the IIO devices, and show which one the daemon would use and how.",
    discussion: """
      The command scans the devices as the daemon does, with the daemon's configuration. It shows which accelerometer \
      is used and why, how it is mounted and where this information comes from, and which sampling frequencies and \
      buffer it offers. It powers no sensor, and does not start the daemon; if the daemon runs, its warnings about the \
      sensor are shown too.

      "Screen axes" shows which axis of the chip points to the right edge of the screen, to its top, and out of it. They \
      result from the mount matrix and the daemon's AxisConvention= and FaceAxis=, and assume that the panel is upright. \
      The natural orientation is the orientation of the device in this position.
      """)

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let configuration = try settings.loadElseSystem()
    let catalog = try SensorCatalog(for: configuration, from: .kernelAndSensors)
    let report = SensorsReport(catalog: catalog, configuration: configuration, daemon: bus.runningDaemon)
    try StandardOutput.write(output.isJSON ? report.json.text + "\n" : report.text)
  }
}

/// All devices and which one the daemon would use, as text or as JSON.
struct SensorsReport {
  private let request: SensorRequest
  private let absence: SourceError?
  private let refusal: LibiioFailure?
  private let natural: DetectedNaturalOrientation
  private let reports: [SensorReport]
  private let tabletMode: TabletModeOrigin

  /// Reports on a catalog.
  ///
  /// - Parameters:
  ///   - catalog: the devices.
  ///   - configuration: what the daemon would use them by.
  ///   - daemon: what a daemon that runs has announced, as it also knows how the sensor reads; nil without one.
  init(catalog: SensorCatalog, configuration: Configuration, daemon: DeviceSnapshot? = nil) {
    request = configuration.sensor
    absence = catalog.absence
    refusal = catalog.refusal
    let natural = DetectedNaturalOrientation(
      by: configuration.naturalOrientation, laptop: configuration.laptopOrientation)
    self.natural = natural
    // libiio lists iio:device10 before iio:device2.
    let entries = catalog.entries.sorted { $0.sensor.id.naturallyPrecedes($1.sensor.id) }
    let tabletMode = TabletModeOrigin(
      of: catalog, configuration: configuration, natural: natural)
    self.tabletMode = tabletMode
    let gyroscope = configuration.sensor.isOfThisMachine ? catalog.gyroscope : nil
    let used = catalog.used?.sensor
    let learned = daemon.map { $0.sensorName == used?.displayName ? $0.sensorWarnings : [] } ?? []
    let remarks = catalog.warnings + learned.filter { !catalog.warnings.contains($0) }
    reports = entries.map {
      SensorReport(
        entry: $0, configuration: configuration, natural: natural.orientation,
        showsTabletMode: tabletMode.isSensor($0.sensor),
        isGyroscope: gyroscope?.isOfSameDevice(as: $0.sensor) == true,
        set: daemon?.matrixSet(for: $0.sensor),
        remarks: $0.sensor.id == used?.id ? remarks : [])
    }
  }

  private var used: SensorReport? { reports.first(where: \.isUsed) }

  /// The report for people.
  var text: String {
    let remark = refusal.map { "Note: \($0.printable).\n" } ?? ""
    let laptop =
      natural.laptop.map { $0.isAssumed ? "" : "As a laptop, it stands in \($0.printable).\n" } ?? ""
    let summary =
      "\(conclusion)The device's natural orientation is \(natural.printable).\n\(laptop)\(tabletMode.text)\n\(remark)"
    guard reports.isEmpty else { return ([summary] + reports.map(\.text)).joined(separator: "\n") }
    switch request {
    case .automatic, .named: return "\(summary)\n\(hint)"
    case .remote, .simulated, .replay: return summary
    }
  }

  /// Which device the daemon uses, or why none.
  private var conclusion: String {
    switch request {
    case .simulated: return "The daemon uses no device, but a simulated tablet (Sensor=simulated).\n"
    case .replay(let path):
      do throws(SourceError) {
        try Recording.check(path)
      } catch {
        return "The daemon uses no device (Sensor=\(request.printable)): \(error.printable).\n"
      }
      return "The daemon uses no device, but the recording \(path.printable) (Sensor=\(request.printable)).\n"
    case .automatic, .named, .remote: break
    }
    if let used { return "The daemon uses \(used.name)\(place).\n" }
    switch (request, absence) {
    case _ where reports.isEmpty: return "There are no IIO devices\(place).\n"
    case (.named(let wanted), .ambiguousSensor):
      return """
        The daemon uses no device: Sensor=\(wanted.printable) matches more than one of the accelerometers below. \
        Use a label
        that only one of them has, a path, or NAME#2 for the second of that name. The path of a chip, without the
        last part /iio:deviceN, does not change at a restart; those of a sensor hub may, but not their order.

        """
    case (.named(let wanted), _):
      return
        "The daemon uses no device: Sensor=\(wanted.printable) matches none of the accelerometers below.\n"
    default: return "The daemon uses no device: no accelerometer belongs to the display\(place).\n"
    }
  }

  private var place: String {
    if case .remote(let address) = request { " of \("\(address)".printable)" } else { "" }
  }

  private var hint: String {
    """
    An accelerometer appears in /sys/bus/iio/devices when its driver is loaded. Most 2-in-1s have a HID sensor hub
    (drivers hid_sensor_hub and hid_sensor_accel_3d); most tablets have a chip on I2C (drivers such as kxcjk_1013 or
    bmc150_accel_i2c). "journalctl -k -g iio" may show why a driver fails.
    To try orientationd without an accelerometer: orientationd --sensor simulated

    """
  }

  /// The report for programs.
  var json: JSON {
    .object([
      ("request", .string(request.description)),
      ("used", used.map { .string($0.id) } ?? .null),
      ("natural_orientation", .string(natural.orientation.device.name)),
      ("natural_orientation_reason", .string(natural.reason)),
      ("laptop_orientation", JSON(natural.laptop?.orientation.device.name)),
      ("laptop_orientation_reason", JSON(natural.laptop?.reason)),
      ("tablet_mode_source", .string(tabletMode.source.rawValue)),
      ("tablet_mode_device", JSON(tabletMode.device)),
      ("libiio_refusal", refusal.map { .string("\($0)") } ?? .null),
      ("devices", .array(reports.map(\.json))),
    ])
  }
}
