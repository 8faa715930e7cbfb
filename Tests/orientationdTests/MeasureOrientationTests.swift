// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("MeasureOrientation")
struct MeasureOrientationTests {
  @Test("runs an idle sensor until it is known, answers, and lets it go, without generating for others")
  func idleSensor() throws {
    let rig = try Rig(replaying: recording(of: [.landscapeRight]))
    #expect(try rig.client.getOrientation() == .landscapeRight)
    try rig.client.catchUp()
    #expect(try rig.client.property("SensorStatus") == "idle")
    let statuses = rig.client.heard.compactMap { announcement in
      if case .changed(let properties) = announcement { properties["SensorStatus"] } else { nil }
    }
    #expect(statuses == ["starting", "active", "idle"])
    #expect(rig.client.heard.count == 3, "neither Orientation nor its signal: \(rig.client.heard)")
  }

  @Test("answers with what is known while generating, and leaves the sensor on")
  func generating() throws {
    let rig = try Rig(replaying: recording(of: [.faceDown]))
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "faceDown")
    try rig.client.catchUp()
    let before = rig.client.heard.count
    #expect(try rig.client.getOrientation() == .faceDown)
    try rig.client.catchUp()
    #expect(rig.client.heard.count == before)
    #expect(try rig.client.property("SensorStatus") == "active")
  }

  @Test("of several callers at once, all are answered")
  func severalCallers() throws {
    let rig = try Rig(replaying: recording(of: [.portrait]))
    var answers: [UInt32?] = []
    try rig.client.askOrientation { answers.append(try? $0.readUInt32()) }
    try rig.client.askOrientation { answers.append(try? $0.readUInt32()) }
    try rig.client.wait(for: "both answers") { answers.count == 2 }
    #expect(answers == [1, 1])
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
  }

  @Test("of more than 16 calls of a user at once, those beyond are refused")
  func tooManyCallers() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "1")) }
    let clients = try (0..<2).map { _ in try Client(on: rig.bus) }
    var answers: [String?] = []
    for client in clients {
      for _ in 0..<8 { try client.askOrientation { answers.append($0.error?.name) } }
      try client.bus.flush()
      // The bus keeps the order of one client only.
      try client.catchUp()
    }
    var refusal: String?
    try rig.client.askOrientation { refusal = $0.error?.name }
    try rig.client.wait(for: "the refusal") { refusal != nil }
    #expect(refusal == "org.freedesktop.DBus.Error.LimitsExceeded")
    for (number, client) in clients.enumerated() {
      try client.wait(for: "the other answers") { answers.count == 8 * (number + 1) }
    }
    #expect(answers.allSatisfy { $0 == "org.orientationd1.Error.SensorUnavailable" })
  }

  @Test("without a sensor there is no orientation to get")
  func noSensor() throws {
    let rig = try Rig()
    let error = #expect(throws: BusError.self) { try rig.client.getOrientation() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    #expect(error?.message.contains("no accelerometer") == true)
  }

  @Test("a sensor that cannot be read is reported as such")
  func brokenSensor() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "broken")) }
    let error = #expect(throws: BusError.self) { try rig.client.getOrientation() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    #expect(error?.message.contains("cannot be read") == true)
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test("a sensor that reads nothing of gravity is given up after a while, and let go")
  func silentSensor() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "1")) }
    let error = #expect(throws: BusError.self) { try rig.client.getOrientation() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    #expect(error?.message.contains("3 s") == true)
    #expect(try rig.client.property("SensorStatus") == "idle")
  }
}
