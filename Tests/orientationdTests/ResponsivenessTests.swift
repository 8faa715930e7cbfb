// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

/// A tablet whose daemon keeps what people choose.
private final class KeepingTablet {
  let folder: TemporaryFolder
  let bus: PrivateBus
  let polkit: MockPolkit
  let tablet: Tablet

  var client: Client { tablet.client }
  var rig: Rig { tablet.rig }

  init(configuration: String = "") throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
    polkit = try MockPolkit(on: bus, .allow)
    tablet = try Tablet(configuration: configuration, options: ["--state", folder.path], bus: bus)
  }

  func set(_ responsiveness: String) throws(BusError) {
    try client.call("SetResponsiveness", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(responsiveness)
    }
  }

  func responsiveness() throws -> Value? {
    try client.properties(of: Daemon.screenInterface)["Responsiveness"]
  }
}

@Suite("How readily the orientation changes")
struct ResponsivenessTests {
  @Test("is what the configuration says until somebody sets it, which is announced and survives a restart")
  func kept() throws {
    let tablet = try KeepingTablet(configuration: "Responsiveness=quick")
    #expect(try tablet.responsiveness() == "quick")
    try tablet.set("calm")
    #expect(try tablet.responsiveness() == "calm")
    try tablet.client.catchUp()
    #expect(tablet.client.heard.contains(.screenChanged(["Responsiveness": "calm"])))
    #expect(try tablet.polkit.questions.map(\.action) == ["org.orientationd1.rotate"])
    #expect(try tablet.rig.end() == 0)
    let another = try tablet.rig.startAnotherDaemon()
    #expect(try tablet.responsiveness() == "calm")
    // It is not lost with what the screen keeps.
    try tablet.client.lock()
    try tablet.set("")
    #expect(try tablet.responsiveness() == "quick")
    #expect(tablet.folder.read("state").contains("RotationLocked=yes"))
    withExtendedLifetime(another) {}
  }

  @Test("by a reload is announced, unless somebody has set it")
  func reloaded() throws {
    let tablet = try KeepingTablet()
    func reload(_ word: String) throws {
      try tablet.rig.folder.write("AxisConvention=kernel\nResponsiveness=\(word)\n", to: "test.conf")
      tablet.rig.daemon.send(SIGHUP)
      try tablet.rig.waitForLog("Responsiveness=\(word)")
    }
    try reload("quick")
    try tablet.client.wait(for: "the announcement") {
      tablet.client.heard.contains(.screenChanged(["Responsiveness": "quick"]))
    }
    try tablet.set("normal")
    try reload("calm")
    try tablet.rig.waitForLog(
      "Responsiveness=calm (was quick); the orientation changes as people have set it: normal")
    #expect(try tablet.responsiveness() == "normal")
  }

  @Test(
    "is taken into use at once: calm, a tablet held just past the border waits for six seconds, not for 1.5",
    arguments: [false, true])
  func effect(isAfterRestart: Bool) throws {
    let tablet = try KeepingTablet(configuration: "Responsiveness=quick")
    if isAfterRestart {
      try tablet.set("calm")
      #expect(try tablet.rig.end() == 0)
    }
    let another = isAfterRestart ? try tablet.rig.startAnotherDaemon() : nil
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    if !isAfterRestart { try tablet.set("calm") }
    // Rolled by 53 degrees: 8 past the middle, of which the hysteresis takes 7.
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "818")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "616")
    let began = ContinuousClock.now
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    #expect(began.duration(to: .now) > .seconds(4.5))
    withExtendedLifetime(another) {}
  }

  @Test("is no other word, is refused without permission, and needs none where nothing changes")
  func refused() throws {
    let tablet = try KeepingTablet()
    for word in ["Calm", "fast", "calm ", "\u{1b}[2J", String(repeating: "a", count: 65_536)] {
      #expect(
        tablet.client.refusal { () throws(BusError) in try tablet.set(word) }
          == BusError.Name.invalidArguments)
    }
    try tablet.polkit.behave(.deny)
    #expect(
      tablet.client.refusal { () throws(BusError) in try tablet.set("calm") }
        == "org.freedesktop.DBus.Error.AccessDenied")
    try tablet.set("")
    #expect(try tablet.responsiveness() == "normal")
    #expect(try tablet.polkit.questions.count == 1)
  }
}
