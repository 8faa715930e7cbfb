// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Testing

/// What goes wrong with a driver, and what is to come of it.
///
/// The same table is in orientationd(8), DIAGNOSTICS.
struct DriverFaultCase: Sendable, CustomTestStringConvertible {
  /// What goes wrong, in words.
  let testDescription: String
  let faults: [DriverFault]
  /// What SensorStatus says then.
  let status: String
  /// The one line in the log, without what names the sensor at its beginning.
  let line: String
  /// Whether the sensor is retried before it has failed, which has a line of its own.
  let isRetried: Bool

  init(
    _ description: String, _ faults: DriverFault..., status: String, line: String, isRetried: Bool = false
  ) {
    testDescription = description
    self.faults = faults
    self.status = status
    self.line = line
    self.isRetried = isRetried
  }
}

@Suite("A driver's faults")
struct DriverFaultTests {
  private static let raw = "iio:device0/in_accel_y_raw"
  private static let directory = "/sys/bus/iio/devices/"

  static let polled = [
    DriverFaultCase(
      "EIO", DriverFault(.read, raw, .fails(EIO)), status: "failed",
      line: "reading \(directory)\(raw): Input/output error", isRetried: true),
    DriverFaultCase(
      "ENODEV", DriverFault(.read, raw, .fails(ENODEV)), status: "failed",
      line: "\(directory)\(raw): the device is gone"),
    DriverFaultCase(
      "EBUSY", DriverFault(.read, raw, .fails(EBUSY)), status: "failed",
      line: "\(directory)\(raw): in use by another program", isRetried: true),
    DriverFaultCase(
      "EACCES", DriverFault(.read, raw, .fails(EACCES)), status: "failed",
      line: "\(directory)\(raw): permission denied"),
    DriverFaultCase(
      "an empty read", DriverFault(.read, raw, .brings(bytes: 0)), status: "failed",
      line: "\(directory)\(raw): \"\": a number was expected", isRetried: true),
    DriverFaultCase(
      "a storm of EINTR", DriverFault(.read, raw, .fails(EINTR)), status: "failed",
      line: "reading \(directory)\(raw): Interrupted system call", isRetried: true),
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
    let retries = tablet.lines(with: "\(fault.line); keeping the orientation and retrying for 2 s")
    #expect(retries == (fault.isRetried ? 1 : 0), "\(tablet.rig.log)")
    #expect(tablet.rig.log.count == 3 + retries, "\(tablet.rig.log)")
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
      line: "\(hub): no buffered samples: the driver does not enable its buffer without a trigger"),
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
