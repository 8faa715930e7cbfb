// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport
import Testing

/// A tablet whose logind a test commands.
private final class SleepyTablet {
  let bus: PrivateBus
  let logind: MockLogind
  let tablet: Tablet

  var client: Client { tablet.client }

  init() throws {
    bus = try PrivateBus()
    logind = try MockLogind(on: bus)
    tablet = try Tablet(bus: bus)
    try waitForInhibitors(1)
  }

  /// Has a client begin, in portrait.
  static func generating() throws -> SleepyTablet {
    let tablet = try SleepyTablet()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.forget()
    return tablet
  }

  func waitForInhibitors(_ count: Int) throws {
    try client.wait(for: "\(count) inhibitors") { try logind.inhibitorCount() == count }
  }

  /// Sends the machine to sleep, and waits until the daemon lets it.
  func fallAsleep() throws {
    try logind.tell(isAboutToSleep: true)
    try waitForInhibitors(0)
  }

  func wake() throws {
    try logind.tell(isAboutToSleep: false)
    try waitForInhibitors(1)
  }

  /// The orientations that were announced.
  var told: [Announcement] {
    client.heard.filter {
      switch $0 {
      case .changed(let values): values.keys.contains("Orientation")
      case .orientation: true
      case .screenChanged, .interface: false
      }
    }
  }
}

@Suite("Sleep")
struct SleepTests {
  @Test("the sensor is released before the machine sleeps, and the orientation holds")
  func release() throws {
    let tablet = try SleepyTablet.generating()
    try tablet.fallAsleep()
    #expect(try tablet.client.property("SensorStatus") == "idle")
    #expect(try tablet.client.property("OrientationName") == "portrait")
    try tablet.client.catchUp()
    #expect(tablet.told.isEmpty)
  }

  @Test("that the machine sleeps is believed of logind, and of nobody else")
  func forged() throws {
    let tablet = try SleepyTablet.generating()
    let daemon = try #require(try tablet.client.bus.owner(of: Daemon.busName))
    let signal = try tablet.client.bus.signal(
      path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager", member: "PrepareForSleep",
      to: daemon)
    try signal.append(true)
    try signal.send()
    try tablet.client.catchUp()
    #expect(try tablet.client.property("SensorStatus") == "active")
    #expect(try tablet.logind.inhibitorCount() == 1)
    try tablet.fallAsleep()
  }

  @Test("awake in another orientation, that one is told and none before it")
  func turnedMeanwhile() throws {
    let tablet = try SleepyTablet.generating()
    try tablet.fallAsleep()
    tablet.tablet.hold(.landscapeLeft)
    try tablet.client.spend(seconds: 0.5)
    #expect(tablet.told.isEmpty)
    try tablet.wake()
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    try tablet.client.catchUp()
    #expect(
      tablet.told == [
        .changed(["Orientation": 3, "OrientationName": "landscapeLeft"]), .orientation(3, "landscapeLeft"),
      ])
    #expect(try tablet.client.property("SensorStatus") == "active")
  }

  @Test("awake in the same orientation, nothing is told")
  func heldMeanwhile() throws {
    let tablet = try SleepyTablet.generating()
    try tablet.fallAsleep()
    try tablet.wake()
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.client.spend(seconds: 0.5)
    #expect(tablet.told.isEmpty)
    try tablet.tablet.turn(to: .landscapeRight)
  }

  @Test("with nobody listening the machine sleeps at once; who asks meanwhile is served once it is awake")
  func nobodyListening() throws {
    let tablet = try SleepyTablet()
    try tablet.fallAsleep()
    try tablet.client.begin()
    try tablet.client.spend(seconds: 0.3)
    #expect(try tablet.client.property("SensorStatus") == "idle")
    try tablet.wake()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
  }

  @Test(
    "a logind that goes away while the machine is to sleep leaves the daemon awake, a new one is asked to wait"
  )
  func vanished() throws {
    let tablet = try SleepyTablet.generating()
    try tablet.fallAsleep()
    try tablet.logind.end()
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    let successor = try MockLogind(on: tablet.bus)
    try tablet.client.wait(for: "an inhibitor") { try successor.inhibitorCount() == 1 }
  }
}
