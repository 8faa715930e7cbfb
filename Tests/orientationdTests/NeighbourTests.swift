// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("Beside iio-sensor-proxy")
struct NeighbourTests {
  /// Another program that has iio-sensor-proxy's name.
  private func neighbour(on bus: PrivateBus) throws -> Bus {
    let neighbour = try Bus.open(.address(bus.address))
    try neighbour.requestName(ProxyClient.name)
    return neighbour
  }

  private func hub(_ kernel: borrowing MockKernel, isOn: Bool) {
    let others = isOn ? ["buffer/enable": "1", "buffer/length": "128"] : [:]
    kernel.addDevice("iio:device0", attributes: hubAttributes().merging(others) { $1 })
    kernel.addDevice("trigger0", attributes: hubTrigger)
  }

  private func settings(_ rig: Rig) -> [String?] {
    [
      "buffer/enable", "buffer/length", "buffer/watermark", "scan_elements/in_accel_x_en",
      "in_accel_sampling_frequency", "current_timestamp_clock",
    ].map { rig.kernel.attribute($0, of: chipPath) }
  }

  @Test("its buffer stays as it is and is polled beside, which is logged once; and is taken when it is free")
  func taken() throws {
    let bus = try PrivateBus()
    let neighbour = try neighbour(on: bus)
    let rig = try Rig(bus: bus) { hub($0, isOn: true) }
    let before = settings(rig)
    for _ in 0..<2 {
      try rig.client.begin()
      try rig.client.wait(for: "OrientationName", toBe: "portrait")
      #expect(settings(rig) == before)
      try rig.client.end()
      try rig.client.wait(for: "SensorStatus", toBe: "idle")
    }
    #expect(rig.log.filter { $0.contains("in use by another program; polling it instead") }.count == 1)
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    rig.kernel.set("buffer/enable", of: chipPath, to: "0")
    try rig.client.wait(for: "the buffer as ours sets it up") {
      rig.kernel.attribute("buffer/length", of: chipPath) == "8"
        && rig.kernel.attribute("buffer/enable", of: chipPath) == "1"
    }
    try rig.client.wait(for: "news of that") {
      rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
      return rig.log.last?.contains("the sensor's buffer works again") == true
    }
    withExtendedLifetime(neighbour) {}
  }

  @Test("a buffer that it has left on is taken once it has ended")
  func leftOn() throws {
    let bus = try PrivateBus()
    let neighbour = try neighbour(on: bus)
    let rig = try Rig(bus: bus) { hub($0, isOn: true) }
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    neighbour.close()
    try rig.client.wait(for: "the buffer as ours sets it up") {
      rig.kernel.attribute("buffer/length", of: chipPath) == "8"
    }
    try rig.client.end()
    try rig.client.wait(for: "the end of the buffer") {
      rig.kernel.attribute("buffer/enable", of: chipPath) == "0"
    }
  }

  @Test("a buffer that it turns on while we have it is its own from then on")
  func takenMeanwhile() throws {
    let bus = try PrivateBus()
    let neighbour = try neighbour(on: bus)
    let rig = try Rig(bus: bus) { hub($0, isOn: false) }
    try rig.client.begin()
    try rig.client.wait(for: "the buffer") { rig.kernel.attribute("buffer/enable", of: chipPath) == "1" }
    // Enabled a moment before it is watched.
    try rig.client.wait(for: "OrientationName") {
      rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
      return try rig.client.property("OrientationName") == .text("portrait")
    }
    rig.kernel.set("buffer/enable", of: chipPath, to: "1")
    try rig.waitForLog("in use by another program; polling it instead")
    try rig.client.wait(for: "SensorStatus", toBe: "active")
    #expect(try rig.client.property("OrientationName") == .text("portrait"))
    try rig.client.end()
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
    #expect(rig.kernel.attribute("buffer/enable", of: chipPath) == "1")
    withExtendedLifetime(neighbour) {}
  }

  @Test("what a daemon that was killed has set of the sensor, the next one takes back though nobody asks")
  func killed() throws {
    let runtime = try TemporaryFolder()
    let environment = ["RUNTIME_DIRECTORY": runtime.path]
    let rig = try Rig(environment: environment) { hub($0, isOn: false) }
    let before = settings(rig)
    var client: Client? = try Client(on: rig.bus)
    try client?.begin()
    try rig.client.wait(for: "the buffer") { rig.kernel.attribute("buffer/enable", of: chipPath) == "1" }
    #expect(settings(rig) != before)
    rig.daemon.send(SIGKILL)
    _ = try rig.daemon.exitCode()
    client = nil
    let next = try Daemon.start(
      ["--sensor", "auto", "--config", try rig.folder.write("", to: "next.conf")], bus: rig.bus,
      environment: rig.kernel.environment.merging(environment) { $1 })
    try rig.client.wait(for: "the settings as they were") { settings(rig) == before }
    try rig.client.waitForService()
    #expect(try FileManager.default.contentsOfDirectory(atPath: runtime.path) == ["restart"])
    withExtendedLifetime(next) {}
  }
}
