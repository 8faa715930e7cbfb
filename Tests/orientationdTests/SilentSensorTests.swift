// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import TestSupport
import Testing

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
      DriverFault(.read, "in_accel_x_raw", .takes(milliseconds: 7000))
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

  @Test(
    "that is polled reads nothing but zeros: it is silent, as the kernel makes them of a hub that does not answer"
  )
  func zeros() throws {
    let tablet = try FaultyTablet(.chip)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try tablet.client.wait(for: "SensorStatus", toBe: "silent")
    try tablet.client.wait(for: "OrientationName", toBe: "unknown")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "-1024")
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(
      tablet.lines(with: "the sensor does not work: kxcjk1013 (iio:device0): only a constant") == 1)
    #expect(tablet.rig.log.count == 3, "\(tablet.rig.log)")
  }

  @Test(
    "whose buffer delivers a constant that is no gravity is silent as well, and back with gravity",
    arguments: [0, 30_000])
  func lifelessBuffer(count: Int16) throws {
    let tablet = try FaultyTablet(.hub)
    let client = tablet.client
    func deliver(_ x: Int16, _ y: Int16, until what: String, _ condition: () throws -> Bool) throws {
      tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "\(x)")
      tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "\(y)")
      try client.wait(for: what) {
        tablet.rig.kernel.deliver(hubScan(x, y, 0, nanoseconds: bootTime), to: "iio:device0")
        return try condition()
      }
    }
    try client.begin()
    try deliver(0, -1000, until: "portrait") { try client.property("OrientationName") == "portrait" }
    try deliver(count, count, until: "silent") { try client.property("SensorStatus") == "silent" }
    #expect(try client.property("OrientationName") == "unknown")
    try deliver(-1000, 0, until: "landscapeLeft") {
      try client.property("OrientationName") == "landscapeLeft"
    }
    #expect(try client.property("SensorStatus") == "active")
    #expect(
      tablet.lines(with: "accel_3d (iio:device0): only a constant that is not gravity for 1.5 s") == 1)
    #expect(tablet.lines(with: "polling it instead") == 0, "\(tablet.rig.log)")
    #expect(tablet.lines(with: "the sensor works again") == 1, "\(tablet.rig.log)")
  }

  @Test("whose buffer delivers zeros is polled where it answers gravity")
  func lifelessBufferOnly() throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    // What it answers is portrait.
    try tablet.client.wait(for: "portrait") {
      tablet.rig.kernel.deliver(hubScan(0, 0, 0, nanoseconds: bootTime), to: "iio:device0")
      return try tablet.client.property("OrientationName") == "portrait"
    }
    #expect(tablet.lines(with: "only a constant that is not gravity for 1.5 s; polling it instead") == 1)
    #expect(try tablet.client.property("SensorStatus") == "active")
  }

  @Test(
    "that has reported all the time and falls silent is polled, and sampled through its buffer again once that delivers"
  )
  func bufferAgain() throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    try tablet.client.wait(for: "polling") {
      tablet.lines(with: "no sample in 1.5 s; polling it instead") == 1
    }
    let start = ContinuousClock.now
    try tablet.client.wait(for: "the buffer") {
      tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
      usleep(40_000)
      return tablet.lines(with: "the sensor's buffer works again") == 1
    }
    #expect(start.duration(to: .now) > .seconds(5))
    #expect(try tablet.client.property("OrientationName") == "portrait")
    #expect(try statuses(tablet.client) == ["starting", "active", "silent", "active"])
    #expect(tablet.rig.log.count == 3, "\(tablet.rig.log)")
  }

  @Test("has proven once that it reports again, and need not do so for each client that comes later")
  func proof() throws {
    let tablet = try FaultyTablet(.hub)
    // No two reports are the same, as it reports only changes.
    var reports: Int16 = 0
    func report(_ x: Int16, _ y: Int16) {
      reports = (reports + 1) % 2
      tablet.rig.kernel.deliver(hubScan(x, y, reports, nanoseconds: bootTime), to: "iio:device0")
      usleep(40_000)
    }
    try tablet.client.begin()
    try tablet.client.wait(for: "portrait") {
      report(0, -1000)
      return try tablet.client.property("OrientationName") == "portrait"
    }
    // It withholds a turn.
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1000")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    #expect(tablet.lines(with: "polling it instead") == 1)
    try tablet.client.wait(for: "the buffer") {
      report(-1000, 0)
      return tablet.lines(with: "the sensor's buffer works again") == 1
    }
    try tablet.client.end()
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
    try tablet.client.begin()
    // It lies still: what it answers holds.
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    #expect(tablet.rig.kernel.attribute("buffer/enable", of: chipPath) == "1")
  }

  @Test("that delivers at a tenth of the rate, or at ten times the rate, is sampled", arguments: [2.5, 250])
  func otherRates(rate: Double) throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.client.wait(for: "the buffer") {
      tablet.rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
    }
    for (orientation, x, y) in [("portrait", 0, -1000), ("landscapeLeft", -1000, 0)] {
      // On a busy machine the sensor may rest by now: then the daemon looks at these, and nobody reads what is delivered.
      tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "\(x)")
      tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "\(y)")
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
    let start = try ProcessUsage(of: tablet.rig.daemon.id).processorSeconds
    let seconds = 4.0
    // Something to read, where the driver does not let it be read.
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if sensor == .hub {
        tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
      }
      usleep(40_000)
    }
    let used = try ProcessUsage(of: tablet.rig.daemon.id).processorSeconds - start
    print("CPU with \(fault): \(used / seconds * 100) %")
    #expect(tablet.rig.daemon.isRunning)
    #expect(tablet.rig.log.count <= 3, "\(tablet.rig.log)")
  }
}
