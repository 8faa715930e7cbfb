// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Testing

/// What goes wrong with a driver, and what is to come of it. The same table is in orientationd(8), DIAGNOSTICS.
struct DriverFaultCase: Sendable, CustomTestStringConvertible {
  /// What goes wrong, in words.
  let testDescription: String
  let faults: [DriverFault]
  /// What SensorStatus says then.
  let status: String
  /// The one line in the log, without what names the sensor at its beginning.
  let line: String

  init(_ description: String, _ faults: DriverFault..., status: String, line: String) {
    testDescription = description
    self.faults = faults
    self.status = status
    self.line = line
  }
}

/// A tablet's sensor whose driver has faults.
final class FaultyTablet {
  enum Sensor: Sendable {
    /// A chip that is polled.
    case chip
    /// A hub with a buffer.
    case hub
  }

  let faults: DriverFaults
  let rig: Rig
  var client: Client { rig.client }

  /// Starts the daemon on a tablet that is held in portrait.
  init(_ sensor: Sensor, _ faults: [DriverFault] = []) throws {
    self.faults = try DriverFaults(faults)
    rig = try Rig(environment: self.faults.environment) {
      switch sensor {
      case .chip: $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      case .hub:
        $0.addDevice("iio:device0", attributes: hubAttributes())
        $0.addDevice("trigger0", attributes: hubTrigger)
      }
    }
  }

  /// Has the hub deliver samples in portrait, or in another pose, at a rate, until the orientation is told.
  func deliver(_ scan: (x: Int16, y: Int16, z: Int16) = (0, -1000, 0), until orientation: String) throws {
    try client.wait(for: orientation) {
      rig.kernel.deliver(hubScan(scan.x, scan.y, scan.z, nanoseconds: bootTime), to: "iio:device0")
      return try client.property("OrientationName") == .text(orientation)
    }
  }

  /// How many lines of the log contain a text.
  func lines(with text: String) -> Int { rig.log.filter { $0.contains(text) }.count }
}

@Suite("A driver's faults")
struct DriverFaultTests {
  private static let raw = "iio:device0/in_accel_y_raw"
  private static let directory = "/sys/bus/iio/devices/"

  static let polled = [
    DriverFaultCase(
      "EIO", DriverFault(.read, raw, .fails(EIO)), status: "failed",
      line: "reading \(directory)\(raw): Input/output error"),
    DriverFaultCase(
      "ENODEV", DriverFault(.read, raw, .fails(ENODEV)), status: "failed",
      line: "\(directory)\(raw): the device is gone"),
    DriverFaultCase(
      "EBUSY", DriverFault(.read, raw, .fails(EBUSY)), status: "failed",
      line: "\(directory)\(raw): in use by another program"),
    DriverFaultCase(
      "EACCES", DriverFault(.read, raw, .fails(EACCES)), status: "failed",
      line: "\(directory)\(raw): permission denied"),
    DriverFaultCase(
      "an empty read", DriverFault(.read, raw, .brings(bytes: 0)), status: "failed",
      line: "\(directory)\(raw): \"\": a number was expected"),
    DriverFaultCase(
      "a storm of EINTR", DriverFault(.read, raw, .fails(EINTR)), status: "failed",
      line: "reading \(directory)\(raw): Interrupted system call"),
  ]

  @Test(
    "of a polled sensor are told once, with the state; then it is tried again, and told once more",
    arguments: polled)
  func whilePolled(_ fault: DriverFaultCase) throws {
    let tablet = try FaultyTablet(.chip)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    tablet.faults.set(fault.faults)
    try tablet.client.wait(for: "SensorStatus", toBe: .text(fault.status))
    try tablet.client.wait(for: "OrientationName", toBe: "unknown")
    // The first two attempts.
    try tablet.client.spend(seconds: 3.5)
    #expect(try tablet.client.property("SensorStatus") == .text(fault.status))
    #expect(tablet.lines(with: "the sensor does not work: \(fault.line)") == 1, "\(tablet.rig.log)")
    tablet.faults.set([])
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("SensorStatus") == "active")
    #expect(tablet.rig.log.last == "orientationd: the sensor works again")
    #expect(tablet.rig.log.count == 3, "\(tablet.rig.log)")
    #expect(try tablet.rig.end() == 0)
  }

  private static let hub = "accel_3d (iio:device0)"
  private static let node = "dev/iio:device0"

  /// Faults of a buffer that is opened.
  static let opening = [
    DriverFaultCase(
      "EBUSY", DriverFault(.open, node, .fails(EBUSY)), status: "active",
      line: "\(hub): in use by another program"),
    DriverFaultCase(
      "EACCES", DriverFault(.open, node, .fails(EACCES)), status: "active",
      line: "/dev/iio:device0: permission denied"),
    DriverFaultCase(
      "no node", DriverFault(.open, node, .fails(ENOENT)), status: "active",
      line: "\(hub): no buffered samples: there is no /dev/iio:device0"),
    DriverFaultCase(
      "EIO", DriverFault(.write, "buffer/enable", .fails(EIO)), status: "active",
      line: "setting buffer/enable of \(hub): Input/output error"),
    DriverFaultCase(
      "EACCES at the switch", DriverFault(.write, "buffer/enable", .fails(EACCES)), status: "active",
      line: "\(directory)iio:device0/buffer/enable: permission denied"),
    DriverFaultCase(
      "EINVAL", DriverFault(.write, "buffer/enable", .fails(EINVAL)), status: "active",
      line: "\(hub): no buffered samples: the driver does not enable its buffer, for want of a trigger"),
  ]

  @Test("at the opening of a buffer have the sensor polled instead, which is told once", arguments: opening)
  func atOpening(_ fault: DriverFaultCase) throws {
    let tablet = try FaultyTablet(.hub, fault.faults)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("SensorStatus") == .text(fault.status))
    try tablet.client.end()
    #expect(try tablet.client.getOrientation() == .portrait)
    #expect(tablet.lines(with: "\(fault.line); polling it instead") == 1, "\(tablet.rig.log)")
    tablet.faults.set([])
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    #expect(tablet.rig.log.last == "orientationd: the sensor's buffer works again")
    #expect(tablet.rig.log.count == 3, "\(tablet.rig.log)")
  }

  /// Faults of a buffer that has worked.
  static let buffered = [
    DriverFaultCase(
      "EIO", DriverFault(.read, node, .fails(EIO)), status: "active",
      line: "reading the buffer of \(hub): Input/output error"),
    DriverFaultCase(
      "EBUSY", DriverFault(.read, node, .fails(EBUSY)), status: "active",
      line: "\(hub): in use by another program"),
    DriverFaultCase(
      "a short read", DriverFault(.read, node, .brings(bytes: 7)), status: "active",
      line: "\(hub): \"7 bytes\": a multiple of the scan's 24 bytes was expected"),
    DriverFaultCase(
      "a storm of EINTR", DriverFault(.read, node, .fails(EINTR)), status: "active",
      line: "\(hub): no sample in 1.5 s"),
    DriverFaultCase(
      "a storm of EAGAIN", DriverFault(.read, node, .fails(EAGAIN)), status: "active",
      line: "\(hub): no sample in 1.5 s"),
  ]

  @Test("of a buffer have the sensor polled instead, which is told once", arguments: buffered)
  func whileBuffered(_ fault: DriverFaultCase) throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    tablet.faults.set(fault.faults)
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1000")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try tablet.deliver(until: "landscapeLeft")
    #expect(try tablet.client.property("SensorStatus") == .text(fault.status))
    #expect(tablet.lines(with: "\(fault.line); polling it instead") == 1, "\(tablet.rig.log)")
    #expect(tablet.rig.log.count == 2, "\(tablet.rig.log)")
  }

  @Test("a buffer whose device is gone is opened again once it is back")
  func bufferVanishes() throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    tablet.faults.set([DriverFault(.read, Self.node, .fails(ENODEV))])
    try tablet.client.wait(for: "SensorStatus", toBe: "failed")
    try tablet.client.wait(for: "OrientationName", toBe: "unknown")
    #expect(tablet.lines(with: "the sensor does not work: \(Self.hub): the device is gone") == 1)
    tablet.faults.set([])
    try tablet.deliver(until: "portrait")
    #expect(tablet.rig.log.last == "orientationd: the sensor works again")
    #expect(tablet.rig.kernel.attribute("buffer/enable", of: chipPath) == "1")
  }

  @Test("a frequency that is listed and refused gives way to another one, without a word")
  func refusedFrequency() throws {
    let tablet = try FaultyTablet(.chip, [DriverFault(.write, "in_accel_sampling_frequency", .fails(EINVAL))])
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("SampleRate") == 25.0)
    #expect(tablet.rig.log.count == 1, "\(tablet.rig.log)")
  }
}

@Suite("A sensor that is silent or slow")
struct SilentSensorTests {
  private static let raw = "iio:device0/in_accel_y_raw"

  private func statuses(_ client: Client) throws -> [Value] {
    try client.catchUp()
    return client.heard.compactMap { announcement in
      if case .changed(let properties) = announcement { properties["SensorStatus"] } else { nil }
    }
  }

  @Test("whose read takes 7 s is silent meanwhile, with the orientation that it had; which is told once")
  func slowRead() throws {
    let slow = DriverFault(.read, Self.raw, .takes(milliseconds: 7000))
    let tablet = try FaultyTablet(.chip, [slow])
    try tablet.client.begin()
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    tablet.faults.set([])
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    tablet.faults.set([slow])
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    #expect(try tablet.client.property("OrientationName") == "portrait")
    tablet.faults.set([])
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    #expect(try tablet.client.property("OrientationName") == "portrait")
    #expect(tablet.lines(with: "the sensor's driver has not answered for 3 s") == 1, "\(tablet.rig.log)")
    #expect(tablet.lines(with: "the sensor's driver answers again") == 1, "\(tablet.rig.log)")
    #expect(tablet.rig.log.count == 3, "\(tablet.rig.log)")
    #expect(try tablet.rig.end() == 0)
  }

  @Test("that hangs at rest is silent too, and active when it answers again")
  func hangsAtRest() throws {
    let tablet = try FaultyTablet(.chip)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.spend(seconds: 3)
    tablet.faults.set([
      DriverFault(.read, "in_accel_x_raw", .takes(milliseconds: 5000))
    ])
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    tablet.faults.set([])
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    #expect(try tablet.client.property("OrientationName") == "portrait")
    try tablet.client.spend(seconds: 4)
    #expect(try statuses(tablet.client) == ["starting", "active", "silent", "active"])
  }

  @Test("whose reads never return lets the daemon end")
  func hangingRead() throws {
    let tablet = try FaultyTablet(.chip, [DriverFault(.read, Self.raw, .hangs)])
    try tablet.client.begin()
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    let start = bootTime
    #expect(try tablet.rig.end() == 0)
    print("SIGTERM during a hanging pread: the daemon ended after \((bootTime - start) / 1_000_000) ms")
    #expect(tablet.rig.log.last?.contains("does not answer; exiting without closing it") == true)
  }

  @Test("whose buffer's reads never return lets the daemon end")
  func hangingBuffer() throws {
    let tablet = try FaultyTablet(.hub, [DriverFault(.read, "dev/iio:device0", .hangs)])
    try tablet.client.begin()
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    let start = bootTime
    #expect(try tablet.rig.end() == 0)
    print("SIGTERM during a hanging read: the daemon ended after \((bootTime - start) / 1_000_000) ms")
    #expect(tablet.rig.log.last?.contains("does not answer; exiting without closing it") == true)
  }

  @Test("that delivers once is polled from then on")
  func deliversOnce() throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1000")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    #expect(try statuses(tablet.client) == ["starting", "active", "silent", "active"])
    #expect(tablet.lines(with: "no sample in 1.5 s; polling it instead") == 1)
    #expect(tablet.rig.log.count == 2, "\(tablet.rig.log)")
  }

  @Test("that reads nothing but zeros is silent: the kernel makes them of a hub that does not answer")
  func zeros() throws {
    let tablet = try FaultyTablet(.chip)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    try tablet.client.wait(for: "OrientationName", toBe: "unknown")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "-1024")
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(tablet.lines(with: "the sensor does not work: kxcjk1013 (iio:device0): no sample in 1.5 s") == 1)
    #expect(tablet.rig.log.count == 3, "\(tablet.rig.log)")
  }

  @Test("that delivers at a tenth of the rate, or at ten times the rate, is sampled", arguments: [2.5, 250])
  func otherRates(rate: Double) throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.client.wait(for: "the buffer") {
      tablet.rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
    }
    for (orientation, x, y) in [("portrait", 0, -1000), ("landscapeLeft", -1000, 0)] {
      var next = ContinuousClock.now
      try tablet.client.wait(for: orientation) {
        while ContinuousClock.now >= next {
          tablet.rig.kernel.deliver(hubScan(Int16(x), Int16(y), 0, nanoseconds: bootTime), to: "iio:device0")
          next += .seconds(1 / rate)
        }
        return try tablet.client.property("OrientationName") == .text(orientation)
      }
    }
    #expect(try tablet.client.property("SensorStatus") == "active")
    #expect(tablet.rig.log.count == 1, "\(tablet.rig.log)")
  }

  /// Which faults might keep the daemon busy.
  static let busyFaults: [(FaultyTablet.Sensor, DriverFault)] = [
    (.chip, DriverFault(.read, raw, .fails(EINTR))), (.chip, DriverFault(.read, raw, .fails(ENODEV))),
    (.chip, DriverFault(.open, raw, .fails(EIO))),
    (.hub, DriverFault(.read, "dev/iio:device0", .fails(EINTR))),
    (.hub, DriverFault(.read, "dev/iio:device0", .fails(EAGAIN))),
  ]

  @Test("leaves the processor alone, whatever its driver says", arguments: busyFaults)
  func processorTime(sensor: FaultyTablet.Sensor, fault: DriverFault) throws {
    let tablet = try FaultyTablet(sensor, [fault])
    try tablet.client.begin()
    let start = try processorSeconds(of: tablet.rig.daemon)
    let seconds = 8.0
    // Something to read, where the driver does not let it be read.
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if sensor == .hub {
        tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
      }
      usleep(40_000)
    }
    let used = try processorSeconds(of: tablet.rig.daemon) - start
    print("CPU with \(fault): \(used / seconds * 100) %")
    #expect(tablet.rig.daemon.isRunning)
    #expect(tablet.rig.log.count <= 3, "\(tablet.rig.log)")
  }

  private func processorSeconds(of process: ChildProcess) throws -> Double {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/task")
    return try threads.map { thread in
      let path = "/proc/\(process.id)/task/\(thread)/schedstat"
      let fields = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
      return Double(fields[0]).map { $0 * 1e-9 } ?? 0
    }.reduce(0, +)
  }
}
