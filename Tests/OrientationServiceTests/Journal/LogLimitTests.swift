// SPDX-License-Identifier: Apache-2.0

import Evdev
import Glibc
import IIO
import Orientation
import Systemd
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

/// The lines that the service has written to standard error, each with its number of times.
private func lines(of result: ExitTest.Result?) -> [String: Int] {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  return Dictionary(
    text.split(separator: "\n").filter { $0.hasPrefix("orientationd: ") }.map { (String($0), 1) },
    uniquingKeysWith: +)
}

/// Input devices with a tablet mode switch.
private func devices(_ count: Int, in folder: TemporaryFolder) throws -> [InputDeviceDescription] {
  try (0..<count).map { number in
    let device = "sys/class/input/event\(number)/device"
    try folder.write("a switch\n", to: "\(device)/name")
    try folder.write("2\n", to: "\(device)/capabilities/sw")
    try folder.write("0\n", to: "\(device)/capabilities/key")
    return try #require(InputDeviceDescription(id: "event\(number)", root: folder.path))
  }
}

@Suite("The journal is not filled by what fails over and over:")
struct LogLimitTests {
  @Test("changes that cannot be announced are logged once for each reason, and for four reasons an hour")
  func announcements() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let log = ServiceLog()
      for attempt in 0..<100 {
        log.cannotAnnounce(BusError(name: BusError.Name.failed, message: "reason \(attempt % 6)"))
      }
    }
    let lines = lines(of: result)
    #expect(lines.count == 4)
    #expect(lines.values.allSatisfy { $0 == 1 })
    #expect(lines.keys.contains { $0.contains("could not be announced: reason 0") })
  }

  @Test("devices whose switches cannot be read are logged once each, and four an hour")
  func failures() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let log = ServiceLog()
      let folder = try TemporaryFolder()
      let devices = try devices(6, in: folder)
      for _ in 0..<20 {
        for device in devices {
          log.hardwareSwitch(device, failed: .system(operation: "reading", path: device.path, code: EIO))
        }
      }
    }
    let lines = lines(of: result)
    #expect(lines.count == 4)
    #expect(lines.values.allSatisfy { $0 == 1 })
    #expect(lines.keys.contains { $0.contains("/event0: reading: Input/output error; the switches") })
  }

  @Test("devices with a switch beyond the limit are logged once each, and four an hour")
  func tooMany() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let log = ServiceLog()
      let folder = try TemporaryFolder()
      let devices = try devices(6, in: folder)
      for _ in 0..<20 {
        for device in devices { log.tooManyHardwareSwitches(device, limit: 16) }
      }
    }
    let lines = lines(of: result)
    #expect(lines.count == 4)
    #expect(lines.values.allSatisfy { $0 == 1 })
    #expect(lines.keys.contains { $0.contains("/event0: 'a switch' is ignored: 16 devices") })
  }
}

@Suite("The journal says of the sampler:")
struct SamplerLogTests {
  @Test("a sensor whose driver hung is named when the driver answers again, although the sensor is gone")
  func goneWhileItHung() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let log = ServiceLog()
      let natural = DetectedNaturalOrientation(by: .portrait)
      let sensor = MountedSensor(origin: .simulation, name: "chip", choice: "a reason")
      log.sampler(said: .found(SensorScan(natural: natural, sensor: sensor)))
      log.samplerBecame(.hung)
      log.sampler(said: .found(SensorScan(natural: natural, absence: .noAccelerometer(devices: []))))
      log.samplerBecame(.responding)
    }
    #expect(lines(of: result)["orientationd: chip: the sensor's driver answers again"] == 1)
  }
}
