// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Testing

@Suite("A sensor that delivers and then cannot be read")
struct UnreadableSampleTests {
  private static let raw = "iio:device0/in_accel_x_raw"
  private static let node = "dev/iio:device0"
  private static let line = "keeping the orientation and retrying for 2 s"

  /// A tablet in portrait whose sensor delivers, and whose client has forgotten all signals until then.
  private func runningTablet(_ sensor: FaultyTablet.Sensor) throws -> FaultyTablet {
    let tablet = try FaultyTablet(sensor)
    try tablet.client.begin()
    switch sensor {
    case .chip: try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    case .hub: try tablet.deliver(until: "portrait")
    }
    try tablet.client.forget()
    return tablet
  }

  /// Turns the tablet; its buffer delivers too, if it has one.
  private func turn(_ tablet: FaultyTablet, of sensor: FaultyTablet.Sensor) throws {
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1000")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    switch sensor {
    case .chip: try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    case .hub: try tablet.deliver((-1000, 0, 0), until: "landscapeLeft")
    }
    try tablet.client.catchUp()
  }

  /// All that makes a sensor unreadable, in its buffer too.
  private func faults(_ code: Int32) -> [DriverFault] {
    [DriverFault(.read, Self.raw, .fails(code)), DriverFault(.read, Self.node, .fails(code))]
  }

  /// The orientations that were told.
  private func orientations(_ client: Client) -> [Announcement] {
    client.heard.filter { if case .orientation = $0 { true } else { false } }
  }

  @Test("for a moment keeps its orientation and its status; the log says so once", arguments: [EIO, EBUSY])
  func chip(code: Int32) throws {
    let tablet = try runningTablet(.chip)
    for _ in 1...2 {
      tablet.faults.set(faults(code))
      try tablet.client.spend(seconds: 0.15)
      tablet.faults.set([])
      // Longer than until an unreadable sensor has failed.
      try tablet.client.spend(seconds: 2.3)
    }
    try tablet.client.catchUp()
    #expect(tablet.client.heard.isEmpty, "\(tablet.client.heard)")
    #expect(tablet.lines(with: Self.line) == 1, "\(tablet.rig.log)")
    #expect(tablet.rig.log.count == 2, "\(tablet.rig.log)")
    try turn(tablet, of: .chip)
    #expect(orientations(tablet.client) == [.orientation(3, "landscapeLeft")])
  }

  @Test("for a moment is not decided anew: in the band of hysteresis, the orientation stays")
  func hysteresis() throws {
    let tablet = try runningTablet(.chip)
    // 6 degrees past the border to landscapeLeft: too few to leave portrait, enough for a first decision.
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-796")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "-644")
    try tablet.client.spend(seconds: 1)
    tablet.faults.set(faults(EIO))
    try tablet.client.spend(seconds: 0.15)
    tablet.faults.set([])
    try tablet.client.spend(seconds: 1.5)
    try tablet.client.catchUp()
    #expect(orientations(tablet.client) == [], "\(tablet.client.heard)")
    #expect(tablet.lines(with: Self.line) == 1, "\(tablet.rig.log)")
  }

  @Test("because an attribute is empty for 0.15 s keeps its orientation")
  func emptyAttribute() throws {
    let tablet = try runningTablet(.chip)
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "")
    try tablet.client.spend(seconds: 0.15)
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "0")
    try tablet.client.spend(seconds: 2.3)
    try tablet.client.catchUp()
    #expect(tablet.client.heard.isEmpty, "\(tablet.client.heard)")
    #expect(tablet.lines(with: Self.line) == 1, "\(tablet.rig.log)")
    try turn(tablet, of: .chip)
  }

  @Test("through its buffer or otherwise, for a moment, keeps its orientation; then its buffer works again")
  func hub() throws {
    let tablet = try runningTablet(.hub)
    tablet.faults.set(faults(EIO))
    tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
    try tablet.client.wait(for: "the line") { tablet.lines(with: Self.line) == 1 }
    tablet.faults.set([])
    try turn(tablet, of: .hub)
    #expect(orientations(tablet.client) == [.orientation(3, "landscapeLeft")])
    #expect(try tablet.client.property("SensorStatus") == "active")
    #expect(tablet.lines(with: "the sensor does not work") == 0, "\(tablet.rig.log)")
  }

  @Test("for a moment, while it is polled because its buffer is silent, does not have its buffer tried again")
  func polledHub() throws {
    let tablet = try FaultyTablet(.hub)
    try tablet.client.begin()
    try tablet.deliver(until: "portrait")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "1000")
    try tablet.client.wait(for: "OrientationName", toBe: "portraitUpsideDown")
    #expect(tablet.lines(with: "no sample in 1.5 s; polling it instead") == 1)
    tablet.faults.set(faults(EIO))
    try tablet.client.wait(for: "the line") { tablet.lines(with: Self.line) == 1 }
    tablet.faults.set([])
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1000")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    var isTried = false
    try tablet.client.wait(for: "the turn") {
      isTried = isTried || tablet.rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
      return try tablet.client.property("OrientationName") == "landscapeLeft"
    }
    #expect(!isTried)
  }

  @Test("for more than 2 s has failed, which is told", arguments: [FaultyTablet.Sensor.chip, .hub])
  func lasting(sensor: FaultyTablet.Sensor) throws {
    let tablet = try runningTablet(sensor)
    let start = ContinuousClock.now
    tablet.faults.set(faults(EIO))
    if sensor == .hub {
      tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
    }
    try tablet.client.wait(for: "OrientationName", toBe: "unknown")
    #expect(ContinuousClock.now - start >= .seconds(2))
    try tablet.client.wait(for: "SensorStatus", toBe: "failed")
    try tablet.client.catchUp()
    #expect(orientations(tablet.client) == [.orientation(0, "unknown")])
    #expect(tablet.lines(with: Self.line) == 1, "\(tablet.rig.log)")
    #expect(tablet.lines(with: "the sensor does not work") == 1, "\(tablet.rig.log)")
    tablet.faults.set([])
    try turn(tablet, of: sensor)
    try tablet.client.wait(for: "the recovery") { tablet.lines(with: "the sensor works again") == 1 }
  }

  @Test("because its device is gone has failed at once", arguments: [FaultyTablet.Sensor.chip, .hub])
  func gone(sensor: FaultyTablet.Sensor) throws {
    let tablet = try runningTablet(sensor)
    tablet.faults.set(faults(ENODEV))
    if sensor == .hub {
      tablet.rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
    }
    try tablet.client.wait(for: "SensorStatus", toBe: "failed")
    #expect(try tablet.client.property("OrientationName") == "unknown")
    #expect(tablet.lines(with: Self.line) == 0, "\(tablet.rig.log)")
  }

  @Test("again and again, soon after each sample, has failed too")
  func againAndAgain() throws {
    let tablet = try runningTablet(.chip)
    try tablet.client.wait(for: "failed") {
      tablet.faults.set(faults(EIO))
      try tablet.client.spend(seconds: 0.1)
      tablet.faults.set([])
      try tablet.client.spend(seconds: 0.4)
      return try tablet.client.property("SensorStatus") == "failed"
    }
    #expect(try tablet.client.property("OrientationName") == "unknown")
  }
}
