// SPDX-License-Identifier: Apache-2.0

import Evdev
import Following
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// The sensor to record, and facts about it.
struct RecordedSensor {
  /// The sensor.
  let sensor: MountedSensor
  /// Its scales; nil if it has no raw values.
  let scales: SensorScales?
  /// The lines about it in the file, before the samples.
  let facts: [(name: String, value: String?)]

  /// Finds the sensor that the daemon would use.
  ///
  /// - Throws: ``CommandError`` if there is none, or `SourceError`.
  init(for configuration: Configuration) throws {
    // Before the recording is looked at: it is refused whether or not it can be read.
    if case .replay(let path) = configuration.sensor { throw Self.isRecording(path) }
    var finder = SensorFinder(configuration: configuration)
    let scan = finder.rescan()
    guard let sensor = scan.sensor else {
      throw CommandError(
        "\(scan.absence.map { $0.printable } ?? "there is no accelerometer"); see orientationctl sensors")
    }
    let description: SensorDescription
    switch sensor.origin {
    case .recording(let path): throw Self.isRecording(path)
    case .simulation:
      self.sensor = sensor
      scales = nil
      facts = [("sensor", "simulated: no real tablet")]
      return
    case .remote(let found, _), .device(let found):
      description = found
      scales = try SensorScales(of: found)
    }
    self.sensor = sensor
    let scales = scales
    facts =
      [("sensor", sensor.name), ("chosen", sensor.choice), ("natural orientation", "\(scan.natural)")]
      + Self.facts(of: description)
      + (sensor.mounting.map { Self.facts(of: $0, scales: scales, configuration: configuration) } ?? [])
  }

  private static func isRecording(_ path: String) -> CommandError {
    CommandError("\(path) is already a recording; select another sensor with --sensor")
  }

  private static func facts(of sensor: SensorDescription) -> [(name: String, value: String?)] {
    // The chip is the directory above the device's.
    let chip = sensor.sysfsPath.map { "\($0)/.." }
    return [
      ("label", sensor.label), ("location", sensor.udev.location ?? sensor.location),
      ("path", sensor.sysfsPath), ("driver", chip.flatMap { linkedName("\($0)/driver") }),
      ("modalias", chip.flatMap { attribute("\($0)/modalias") }),
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
      ("mount matrix", mounting.matrixText),
      (
        "convention",
        "AxisConvention=\(configuration.axisConvention.rawValue) FaceAxis=\(configuration.faceAxis.rawValue)"
      ),
      ("screen axes", ScreenAxes(of: mounting.panelTransform).text),
    ] + mounting.warnings.map { ("warning", $0) }
  }
}

/// The machine and its kernel.
enum Machine {
  /// Such as "Linux 6.1.0-40-amd64 x86_64".
  static var kernel: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return [text(&names.sysname), text(&names.release), text(&names.machine)].joined(separator: " ")
  }

  /// DMI's modalias, or the model in the device tree; both contain no serial number.
  static var model: String? {
    if let dmi = attribute("/sys/class/dmi/id/modalias"), !dmi.isEmpty { return dmi }
    return firstLine(of: "/proc/device-tree/model")
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// The name of the driver to which a link in sysfs leads; nil if there is none.
private func linkedName(_ path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &bytes, bytes.count)
  guard count > 0 else { return nil }
  let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return target.split(separator: "/").last.map(String.init)
}
