// SPDX-License-Identifier: Apache-2.0

import MockDevices
import TestSupport
import Testing

/// Where a driver hangs.
struct DriverHangCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sensor: FaultyTablet.Sensor
  /// A call that does not return; in place of it, an attribute that cannot be written.
  let fault: DriverFault?
  let blocked: String?

  init(_ description: String, _ sensor: FaultyTablet.Sensor, _ fault: DriverFault) {
    (testDescription, self.sensor, self.fault, blocked) = (description, sensor, fault, nil)
  }

  init(_ description: String, _ sensor: FaultyTablet.Sensor, writing attribute: String) {
    (testDescription, self.sensor, fault, blocked) = (description, sensor, nil, attribute)
  }
}

@Suite("SIGTERM ends the daemon in order and at once, while a driver hangs")
struct DriverHangTests {
  private static let node = "dev/iio:device0"

  private func end(_ tablet: FaultyTablet) throws {
    let code = try tablet.rig.end()
    #expect(code == 0)
    #expect(tablet.rig.log.last == "orientationd: the sensor does not answer; exiting without closing it")
  }

  /// Waits until the daemon has noticed that the driver hangs.
  private func waitForHang(_ tablet: FaultyTablet) throws {
    try tablet.rig.waitForLog("the sensor's driver has not answered")
  }

  static let opening = [
    DriverHangCase("the opening of the node", .hub, DriverFault(.open, node, .isHeld)),
    DriverHangCase("the opening of an attribute", .chip, DriverFault(.open, "in_accel_x_raw", .isHeld)),
    DriverHangCase("the reading of an attribute", .chip, DriverFault(.read, "in_accel_scale", .isHeld)),
    DriverHangCase("the writing of an attribute", .hub, writing: "current_timestamp_clock"),
    DriverHangCase("the length of the buffer", .hub, writing: "buffer/length"),
    DriverHangCase("the enabling of the buffer", .hub, writing: "buffer/enable"),
  ]

  @Test("in what it is asked for as the sensor is opened", arguments: opening)
  func atOpening(_ hang: DriverHangCase) throws {
    let tablet = try FaultyTablet(hang.sensor)
    tablet.faults.set(hang.fault.map { [$0] } ?? [])
    let blocked = hang.blocked.map { tablet.rig.kernel.block($0, of: chipPath) }
    try tablet.client.begin()
    try waitForHang(tablet)
    try end(tablet)
    withExtendedLifetime(blocked) {}
  }

  @Test("in the reading of samples", arguments: [FaultyTablet.Sensor.chip, .hub])
  func whileReading(_ sensor: FaultyTablet.Sensor) throws {
    let tablet = try FaultyTablet(sensor)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    tablet.faults.set([
      DriverFault(.read, Self.node, .isHeld), DriverFault(.read, "in_accel_x_raw", .isHeld),
    ])
    tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
    try waitForHang(tablet)
    try end(tablet)
  }

  @Test("in the disabling of the buffer, begun by SIGTERM or before", arguments: [false, true])
  func atClosing(hasClientEnded: Bool) throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    let blocked = tablet.rig.kernel.block("buffer/enable", of: chipPath, reading: "1")
    if hasClientEnded { try tablet.client.end() }
    try end(tablet)
    withExtendedLifetime(blocked) {}
  }

  @Test("in the reading of an attribute, as it looks through the devices")
  func atFirstLook() throws {
    try end(try FaultyTablet(.chip, [DriverFault(.read, "in_accel_scale", .isHeld)]))
  }

  @Test("and so does the end of the bus, with the code of a failure")
  func busEnds() throws {
    let tablet = try FaultyTablet(.hub)
    let blocked = tablet.rig.kernel.block("buffer/length", of: chipPath)
    try tablet.client.begin()
    try waitForHang(tablet)
    try tablet.rig.bus.end()
    #expect(try tablet.rig.daemon.exitCode() == 1)
    #expect(tablet.rig.log.last == "orientationd: the connection to the bus has ended")
    withExtendedLifetime(blocked) {}
  }
}
