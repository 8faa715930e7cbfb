// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import TestSupport
import Testing

@Suite("A buffered sensor of the kernel")
struct BufferedSensorTests {
  private func hubRig(but change: (inout [String: String]) -> Void = { _ in }) throws -> Rig {
    var attributes = hubAttributes()
    change(&attributes)
    return try Rig {
      $0.addDevice("iio:device0", attributes: attributes)
      $0.addDevice("trigger0", attributes: hubTrigger)
    }
  }

  @Test("is sampled through its buffer: the orientation follows what the driver delivers")
  func buffered() throws {
    let rig = try hubRig()
    try rig.client.begin()
    try rig.client.wait(for: "the buffer") {
      rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
    }
    // A hub upright reads (0, -1, 0) g, as it reports the opposite of what holds it up.
    let poses: KeyValuePairs<DeviceOrientation, (x: Int16, y: Int16, z: Int16)> = [
      .portrait: (0, -1000, 0), .landscapeLeft: (-1000, 0, 0), .faceUp: (0, 0, -1000),
    ]
    for (orientation, (x, y, z)) in poses {
      try rig.client.wait(for: orientation.name) {
        rig.kernel.deliver(hubScan(x, y, z, nanoseconds: bootTime), to: "iio:device0")
        return try rig.client.property("OrientationName") == .text(orientation.name)
      }
    }
    #expect(rig.daemon.errors.contains("polling") == false)
    try rig.client.end()
    try rig.client.wait(for: "the end of the buffer") {
      rig.kernel.attribute("buffer/enable", of: chipPath) == "0"
    }
  }

  @Test("that is a hub and silent is asked: what it answers holds, and it is not polled")
  func silentHub() throws {
    let rig = try hubRig()
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(rig.kernel.attribute("buffer/enable", of: chipPath) == "1")
    #expect(try rig.client.property("SensorStatus") == "active")
    try rig.client.wait(for: "landscapeLeft") {
      rig.kernel.deliver(hubScan(-1000, 0, 0, nanoseconds: bootTime), to: "iio:device0")
      return try rig.client.property("OrientationName") == "landscapeLeft"
    }
    #expect(rig.log.count == 1, "\(rig.log)")
  }

  @Test("that is no hub, and whose buffer delivers nothing, is polled instead, and the log says so once")
  func silentBuffer() throws {
    let rig = try hubRig { $0["in_accel_hysteresis"] = nil }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(rig.kernel.attribute("buffer/enable", of: chipPath) == "0")
    try rig.client.catchUp()
    let statuses = rig.client.heard.compactMap { announcement in
      if case .changed(let properties) = announcement { properties["SensorStatus"] } else { nil }
    }
    #expect(statuses == ["starting", "silent", "active"])
    try rig.client.end()
    #expect(try rig.client.getOrientation() == .portrait)
    #expect(rig.log.filter { $0.contains("no sample in 1.5 s; polling it instead") }.count == 1)
  }

  @Test("is turned off when the daemon is ended while it runs")
  func endWhileRunning() throws {
    let rig = try hubRig()
    try rig.client.begin()
    try rig.client.wait(for: "the buffer") {
      rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
    }
    #expect(try rig.end() == 0)
    #expect(rig.kernel.attribute("buffer/enable", of: chipPath) == "0")
  }
}
