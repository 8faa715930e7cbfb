// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationService
import SensorSetup

@testable import IIO
@testable import OrientationctlKit
@testable import Systemd

/// How far the service gets with a device that an input makes up.
public enum DeviceOutcome: Int, Comparable, Sendable {
  /// It is no sensor that is known.
  case unknown
  /// It is one, and cannot be opened or read.
  case failed
  /// It gives samples or values.
  case delivering

  /// Orders them by how far that is.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A device as ``MadeUpDevice`` has it.
///
/// Whatever its attributes hold, it can be described and shown, its frequencies are some that a sensor can have, what it
/// reads is a number that the filters can hold, and nothing of it does anything to a terminal or the journal.
func checkDevice(_ input: [UInt8]) throws(Violation) { _ = try outcome(of: input) }

/// How far the service gets with the device of an input.
///
/// - Throws: what does not hold that must, as text; for tests, which count how far inputs get.
public func deviceOutcome(_ input: [UInt8]) throws -> DeviceOutcome { try outcome(of: input) }

private func outcome(of input: [UInt8]) throws(Violation) -> DeviceOutcome {
  guard let device = MadeUpDevice(input) else { return .unknown }
  let folder = device.devicesDirectory
  let ids = namesOfFiles(in: folder).filter { $0.hasPrefix("iio:device") }
  // Without libiio, which knows only /sys.
  let machine = IIOMachine(devices: ids.map { IIODevice(sysfs: $0, in: folder) })
  let udev = device.udev
  let sensors = machine.sensors(from: .kernelAndSensors) { _ in udev }
  try expect(sensors.count == 1, "\(sensors.count) devices")
  let catalog = SensorCatalog(choosingAmong: sensors)
  if let absence = catalog.absence { try checkWords(of: absence) }
  var outcome = DeviceOutcome.unknown
  for entry in catalog.entries {
    try checkReport(of: entry)
    guard entry.sensor.isAccelerometer else { continue }
    outcome = max(outcome, try checkAccelerometer(entry.sensor))
  }
  for sensor in sensors { if let gyroscope = sensor.gyroscope { try checkGyroscope(gyroscope) } }
  let ambient = machine.ambientSensors { _ in udev }
  for sensor in ambient { outcome = max(outcome, try checkAmbient(sensor)) }
  let chosen = AmbientCatalog(choosingAmong: ambient)
  try expect(chosen[.light].map { ambient.contains($0) } ?? true, "a light sensor that there is not")
  return outcome
}

// MARK: What people see

/// A sentence for the journal is one line, which does nothing but be read.
func checkWords(of error: SourceError) throws(Violation) { try checkJournal("\(error)", "") }

private func checkJournal(_ message: String, _ field: String) throws(Violation) {
  let journal = Journal(identifier: "orientationd", destination: .journal)
  for line in journal.entry(.warning, message, id: nil, fields: ["SENSOR": field]) {
    try expect(line.printable == line, "the journal gets '\(line)'")
  }
}

/// What `orientationctl sensors` shows of it.
private func checkReport(of entry: SensorCatalog.Entry) throws(Violation) {
  let sensor = entry.sensor
  try checkJournal("accelerometer \(sensor.displayName): \(entry.verdict)", sensor.displayName)
  let report = SensorReport(
    entry: entry, configuration: Configuration(), natural: .portrait,
    showsTabletMode: sensor.hingeChannel != nil)
  try expect(report.text.printableLines == report.text, "the report is '\(report.text)'")
  // Each line has two blanks or, the first, the name.
  let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false)
  try expect(lines.dropFirst().allSatisfy { $0.isEmpty || $0.hasPrefix("  ") }, "a line of '\(report.text)'")
  let json = report.json.text
  try expect(json.printable == json, "JSON: '\(json)'")
  for warning in Mounting(of: sensor, configuration: Configuration(), natural: .portrait).warnings {
    try checkJournal(warning, "")
  }
}

// MARK: What samples

private func checkAccelerometer(
  _ sensor: SensorDescription
) throws(Violation) -> DeviceOutcome {
  let device = sensor.device
  try checkFrequencies(of: sensor, device)
  try checkScans(of: device)
  let readings: DeviceReadings
  do throws(SourceError) {
    readings = try DeviceReadings(of: sensor)
  } catch {
    try checkWords(of: error)
    return .failed
  }
  try readings.check(as: sensor)
  return .delivering
}

/// The gyroscope of the device, which is read beside its accelerometer.
private func checkGyroscope(
  _ sensor: SensorDescription
) throws(Violation) {
  let device = sensor.device
  try checkFrequencies(of: sensor, device)
  let mounting = Mounting(of: sensor, configuration: Configuration(), natural: .portrait)
  for warning in mounting.warnings { try checkJournal(warning, "") }
  let reading: Acceleration<SensorFrame>
  do throws(SourceError) {
    reading = try PolledAxes(of: device, measuring: .angularVelocity).acceleration()
  } catch {
    return try checkWords(of: error)
  }
  let rates = RateTransform(ofForcesBy: mounting.transform)(AngularVelocity(axesOf: reading))
  try expect(rates.x.isFinite && rates.y.isFinite && rates.z.isFinite, "\(rates) are sent")
}

/// The frequencies that are tried, and the times that are made of them.
private func checkFrequencies(of sensor: SensorDescription, _ device: IIODevice) throws(Violation) {
  for wanted in [5.0, 25, 200] {
    let choices = sensor.availableFrequencies.choices(for: wanted)
    try expect(
      !choices.isEmpty && choices.allSatisfy(credibleFrequencies.contains), "\(choices) for \(wanted) Hz")
    let rate =
      device.inputChannel(Axis.x.channel)?.setSamplingFrequency(choices, keeping: OwnSettings(of: device))
      ?? choices[0]
    try expect(credibleFrequencies.contains(rate), "sampled at \(rate) Hz")
    let settings = OwnSettings(of: device)
    guard let channel = device.inputChannel(Axis.x.channel) else { return }
    if let file = channel.samplingFrequencyFile { settings.keep(file) }
    var slow = SlowReports(
      of: channel, full: rate, available: sensor.availableFrequencies, keptBy: settings)
    if slow?.begin() == true { slow?.end() }
    let start = BootTime(nanoseconds: 0)
    for seconds in [1 / rate, 3 * 1024 / rate] {
      try expect(start.advanced(bySeconds: seconds) > start, "a period of \(seconds) s")
    }
  }
}

/// The scans of its buffer, as they are decoded; a buffer that is refused leaves polling.
private func checkScans(of device: IIODevice) throws(Violation) {
  let wanted = Axis.allCases.map(\.channel) + ["timestamp"]
  let channels = device.scanElements.filter { wanted.contains($0.id) }
  let decoder: ScanDecoder
  do throws(SourceError) {
    decoder = try ScanDecoder(scansOf: channels, name: "f")
  } catch {
    return try checkWords(of: error)
  }
  try expect(
    (1...2 * ScanLayout.largestScan).contains(decoder.scanSize), "scans of \(decoder.scanSize) bytes")
  for byte in [0, 0x7f, 0x80, 0xff] as [UInt8] {
    let scan = [UInt8](repeating: byte, count: decoder.scanSize)
    let reading = scan.withUnsafeBytes { bytes in bytes.baseAddress.map { decoder.acceleration(at: $0) } }
    _ = scan.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { decoder.timestamp(at: $0) } }
    try expect(reading.map(isInBounds) ?? false, "\(String(describing: reading)) is decoded")
  }
}

private func checkAmbient(
  _ sensor: AmbientSensor
) throws(Violation) -> DeviceOutcome {
  try checkJournal("\(sensor.kind.name) \(sensor.name)", sensor.name)
  var changes = AmbientChanges(of: sensor.measure)
  var values: [Double] = []
  do throws(SourceError) {
    var source = try PolledValue(sensor)
    let wakeUp = try WakeUpEvent()
    // The second one is due after a while.
    if let value = try source.next(interruptedBy: wakeUp) { values.append(value) }
  } catch {
    try checkWords(of: error)
    return .failed
  }
  for value in values {
    try expect(value.isFinite, "a value of \(value)")
    _ = changes.take(value)
    _ = changes.take(-value)
  }
  return .delivering
}
