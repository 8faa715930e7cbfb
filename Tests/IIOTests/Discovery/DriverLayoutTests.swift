// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import Testing

@testable import IIO

@Suite("An accelerometer of any driver of Linux")
struct DriverLayoutTests {
  init() { useMockKernel() }

  @Test("shows which way up it is, polled, or says why not")
  func polled() async {
    await #expect(processExitsWith: .success) {
      expectEqual(driverLayouts.count >= 63, true)
      for layout in driverLayouts {
        let kernel = MockKernel()
        layout.add(to: kernel)
        let sensor = try #require(try chosenSensor())
        guard layout.axes != "" else {
          // The driver has neither readings nor a scale, and its unit is unknown.
          let path = "/sys/bus/iio/devices/iio:device0/in_accel_x_scale"
          #expect(throws: SourceError.missingAttribute(path: path)) {
            _ = try BufferedSource(sensor, rate: 25)
          }
          continue
        }
        var source = try PolledSource(sensor, rate: 25)
        let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
        expectEqual(orientation(of: sample.acceleration, by: sensor), .portrait, layout.name)
        expectEqual(sensor.lacksZ, layout.axes == "xy", layout.name)
        expectEqual(
          SensorCatalog(choosingAmong: try allSensors()).warnings.count, sensor.lacksZ ? 1 : 0, layout.name)
        expectEqual(sensor.driverMountMatrix == nil, !layout.files.contains("mount_matrix"), layout.name)
      }
    }
  }

  @Test("shows the same through its buffer, at the rate that is set, or that it has")
  func buffered() async {
    await #expect(processExitsWith: .success) {
      for layout in driverLayouts where layout.format != nil && layout.axes != "" {
        let kernel = MockKernel()
        layout.add(to: kernel)
        let sensor = try #require(try chosenSensor())
        guard DriverTrait(ofDevice: layout.name) != .wrongByteOrder else {
          expectEqual(sensor.buffering, .none, layout.name)
          continue
        }
        expectEqual(sensor.buffering, .scanElements(trigger: nil), layout.name)
        // What a chip with a rate of its own has delivered at the first look.
        let start = BootTime.now
        for scan in 0..<8 {
          kernel.deliver(
            layout.scan(at: start.advanced(bySeconds: Double(scan) / 1792)), to: "iio:device0")
        }
        var source = try BufferedSource(sensor, rate: 25)
        if let trigger = layout.trigger {
          expectEqual(kernel.attribute("trigger/current_trigger", of: chipPath), trigger, layout.name)
        }
        if layout.hasFrequency {
          expectEqual(source.sampleRate, 25, layout.name)
        } else if layout.isStamped {
          expectEqual(source.sampleRate.rounded(), 1792, layout.name)
          expectEqual(kernel.attribute("buffer/watermark", of: chipPath), "71", layout.name)
          expectEqual(kernel.attribute("buffer/length", of: chipPath), "568", layout.name)
        }
        kernel.deliver(layout.scan(at: .now), to: "iio:device0")
        let sample = try #require(try source.next(interruptedBy: try WakeUpEvent()))
        expectEqual(orientation(of: sample.acceleration, by: sensor), .portrait, layout.name)
      }
    }
  }

  @Test("is measured by the number of its scans where their stamps stand still")
  func uselessStamps() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let layout = try #require(driverLayouts.first { $0.name == "stk8ba50" })
      layout.add(to: kernel)
      let now = BootTime.now
      for _ in 0..<8 { kernel.deliver(layout.scan(at: now), to: "iio:device0") }
      let source = try BufferedSource(try #require(try chosenSensor()), rate: 25)
      // Eight in a quarter of a second, or longer on a busy machine: not the wanted rate.
      expectEqual(source.sampleRate <= 32 && source.sampleRate != 25, true)
    }
  }

  @Test("is served beside one with three axes only if that is not in the display")
  func substitutes() async {
    await #expect(processExitsWith: .success) {
      for name in ["mxc6255", "gravity"] {
        let kernel = MockKernel()
        let substitute = try #require(driverLayouts.first { $0.name == name })
        substitute.add(to: kernel)
        kernel.addDevice("iio:device1", under: "platform/other", attributes: chipAttributes())
        expectEqual(try chosenSensor()?.name, "kxcjk1013")
        kernel.addDevice("iio:device2", under: "platform/base", attributes: ["label": "accel-base"])
        kernel.remove("/sys/devices/platform/other/iio:device1")
        expectEqual(try chosenSensor()?.name, name)
      }
    }
  }
}

/// The orientation of a device that is held like this for some seconds.
private func orientation(
  of reading: Acceleration<SensorFrame>, by sensor: SensorDescription
) -> DeviceOrientation {
  let transform = ScreenTransform(
    matrix: .identity, convention: .proxy, faceAxis: .auto, sign: sensor.sign)
  var pipeline = OrientationPipeline(transform: transform)
  pipeline.length = GravityLength(lacksAxis: sensor.lacksZ)
  var last = DeviceOrientation.unknown
  for number in 0..<100 {
    let time = BootTime(nanoseconds: 1_000_000_000).advanced(bySeconds: Double(number) * 0.04)
    if let change = pipeline.process(Sample(time: time, acceleration: reading)) { last = change.orientation }
  }
  return last
}

extension DriverLayout {
  private var fileNames: [String] { files.split(separator: " ").map(String.init) }
  /// Whether the sampling frequency can be read and set.
  var hasFrequency: Bool { fileNames.contains { $0.hasSuffix("sampling_frequency") } }
  private var channel: String { name == "gravity" ? "gravity" : "accel" }
  /// The counts of gravity: few bits have a coarse scale.
  private var counts: Int64 {
    guard let bits = format.flatMap(BitByBit.init(parsing:))?.bits, bits < 10 else { return 125 }
    return 16
  }
  private var offset: Int64 { files.contains("offset") ? -400 : 0 }
  /// The counts of an axis of a tablet that stands upright.
  private func raw(_ axis: Character) -> Int64 {
    guard axis == "y" else { return -offset }
    return -counts - offset
  }

  /// Adds the driver's device and trigger.
  func add(to kernel: borrowing MockKernel) {
    var attributes = ["name": name]
    for axis in axes { attributes["in_\(channel)_\(axis)_raw"] = "\(raw(axis))" }
    for file in fileNames { attributes[file] = content(of: file) }
    if let format {
      attributes.merge([
        "current_timestamp_clock": "realtime", "buffer/enable": "0", "buffer/length": "2",
        "buffer/watermark": "1",
      ]) { $1 }
      let elements =
        (axes.isEmpty ? "xyz" : axes).map { ("\(channel)_\($0)", format) }
        + (isStamped ? [("timestamp", "le:s64/64>>0")] : [])
      for (index, (id, format)) in elements.enumerated() {
        attributes["scan_elements/in_\(id)_en"] = "0"
        attributes["scan_elements/in_\(id)_index"] = "\(index)"
        attributes["scan_elements/in_\(id)_type"] = format
      }
    }
    if let trigger {
      attributes["trigger/current_trigger"] = ""
      kernel.addDevice("trigger0", attributes: ["name": trigger])
      kernel.addDevice("trigger1", attributes: ["name": "\(name)-any-motion-dev0"])
    }
    kernel.addDevice("iio:device0", attributes: attributes)
  }

  private func content(of file: String) -> String {
    if file.hasSuffix("mount_matrix") { return "1, 0, 0; 0, 1, 0; 0, 0, 1" }
    if file.hasSuffix("scale") { return "\(standardGravity / Double(counts))" }
    if file.hasSuffix("offset") { return "\(offset)" }
    if file.hasSuffix("frequency_available") { return "12.5 25 50 100" }
    return file.hasSuffix("hysteresis") ? "0.000000" : "12.500000"
  }

  /// A scan of a tablet that stands upright.
  func scan(at time: BootTime) -> [UInt8] {
    guard let format = format.flatMap(BitByBit.init(parsing:)) else { return [] }
    var bytes = axes.flatMap { format.bytes(of: raw($0), padding: true) }
    guard isStamped else { return bytes }
    while bytes.count % 8 != 0 { bytes.append(0) }
    return bytes + withUnsafeBytes(of: time.nanoseconds.littleEndian) { Array($0) }
  }
}
