// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport
import Testing

@Suite("Generating notifications")
struct GeneratingTests {
  @Test("the first Begin starts the sensor: each property that changes is announced, and nothing else")
  func announcements() throws {
    let rig = try Rig(replaying: recording(of: [.portrait]))
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    try rig.client.catchUp()
    #expect(
      rig.client.heard == [
        .changed(["GeneratesDeviceOrientationNotifications": true]), .changed(["SensorStatus": "starting"]),
        .changed(["SensorStatus": "active"]),
        .changed(["Orientation": 1, "OrientationName": "portrait"]),
        .orientation(1, "portrait"),
      ])
  }

  @Test("the last End makes the orientation unknown without the signal, and the sensor idle")
  func lastEnd() throws {
    let rig = try Rig(replaying: recording(of: [.landscapeLeft]))
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    try rig.client.catchUp()
    let before = rig.client.heard.count
    try rig.client.end()
    try rig.client.catchUp()
    #expect(
      rig.client.heard[before...] == [
        .changed([
          "Orientation": 0, "OrientationName": "unknown", "GeneratesDeviceOrientationNotifications": false,
        ]), .changed(["SensorStatus": "idle"]),
      ])
    let error = #expect(throws: BusError.self) { try rig.client.gravity() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
  }

  @Test("every orientation is told once, in order, with its number and name")
  func sequence() throws {
    let orientations: [DeviceOrientation] = [
      .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    let rig = try Rig(replaying: recording(of: orientations, secondsEach: 0.8))
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "faceDown")
    try rig.client.catchUp()
    let told = rig.client.heard.filter {
      if case .orientation = $0 { true } else { false }
    }
    #expect(told == orientations.map { .orientation($0.rawValue, $0.name) })
  }

  @Test("the signal carries the time of the sample on the boot clock, in microseconds")
  func time() throws {
    let rig = try Rig(replaying: recording(of: [.portrait]))
    let before = UInt64(bootTime / 1000)
    try rig.client.begin()
    try rig.client.wait(for: "the signal") { rig.client.lastTime != 0 }
    #expect((before...UInt64(bootTime / 1000)).contains(rig.client.lastTime))
  }

  @Test("while it generates, the filtered gravity can be read")
  func gravity() throws {
    let rig = try Rig(replaying: recording(of: [.portrait]))
    try rig.client.begin()
    try rig.client.wait(for: "the gravity") { (try? rig.client.gravity()) == [0, 9.8, 0] }
  }

  @Test("Begin is counted: as many Ends as Begins stop the sensor, and one more is refused")
  func nested() throws {
    let rig = try Rig(sensor: "simulated")
    for _ in 0..<3 { try rig.client.begin() }
    for _ in 0..<2 {
      try rig.client.end()
      #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == true)
    }
    try rig.client.end()
    #expect(try rig.client.property("SensorStatus") == "idle")
    let error = #expect(throws: BusError.self) { try rig.client.end() }
    #expect(error?.name == "org.orientationd1.Error.NotGenerating")
  }

  @Test("End without Begin is refused, also while another client's Begin holds")
  func endWithoutBegin() throws {
    let rig = try Rig(sensor: "simulated")
    let other = try Client(on: rig.bus)
    try other.begin()
    let error = #expect(throws: BusError.self) { try rig.client.end() }
    #expect(error?.name == "org.orientationd1.Error.NotGenerating")
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == true)
  }

  @Test("the sensor runs until the last of two clients has ended")
  func twoClients() throws {
    let rig = try Rig(sensor: "simulated")
    let other = try Client(on: rig.bus)
    try rig.client.begin()
    try other.begin()
    try rig.client.end()
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == true)
    try other.end()
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == false)
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test("a client that vanishes is forgotten with all it asked for, and the sensor stops")
  func vanished() throws {
    let rig = try Rig(sensor: "simulated")
    let other = try Client(on: rig.bus)
    for _ in 0..<3 { try other.begin() }
    try rig.client.wait(for: "SensorStatus", toBe: "active")
    other.bus.close()
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == false)
  }

  @Test("AlwaysOn=yes generates without a client, and goes on after the last End")
  func alwaysOn() throws {
    let rig = try Rig(replaying: recording(of: [.faceUp]), configuration: "AlwaysOn=yes\n")
    try rig.client.wait(for: "OrientationName", toBe: "faceUp")
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == true)
    try rig.client.begin()
    try rig.client.end()
    #expect(try rig.client.property("OrientationName") == "faceUp")
    let error = #expect(throws: BusError.self) { try rig.client.end() }
    #expect(error?.name == "org.orientationd1.Error.NotGenerating")
  }
}
