// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

/// A tablet whose chip is mounted by a quarter turn, and which nothing knows of.
private final class TurnedTablet {
  /// What is right for it.
  static let right = "0, 1, 0; -1, 0, 0; 0, 0, 1"

  let folder: TemporaryFolder
  let bus: PrivateBus
  let polkit: MockPolkit
  let rig: Rig

  var client: Client { rig.client }

  /// Starts the daemon while it is held in portrait.
  init(_ behaviour: MockPolkit.Behaviour = .allow, configuration: String = "", sensor: String = "auto") throws
  {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
    polkit = try MockPolkit(on: bus, behaviour)
    rig = try Rig(
      sensor: sensor, configuration: configuration, options: ["--state", folder.path], bus: bus
    ) {
      $0.addDevice("iio:device0", attributes: chipAttributes(x: "1024", y: "0"))
    }
    try client.begin()
    if sensor == "auto" { try client.wait(for: "OrientationName", toBe: "landscapeRight") }
  }

  func matrix() throws -> [Value?] {
    [try client.property("SensorMountMatrix"), try client.property("SensorMountMatrixSource")]
  }
}

@Suite("A mount matrix that is set while the daemon runs")
struct MountingTests {
  private static let none: [Value?] = ["1, 0, 0; 0, 1, 0; 0, 0, 1", ""]

  private static func matrix(from source: String) -> [Value?] { [.text(TurnedTablet.right), .text(source)] }

  @Test("has the screen right at once, and after a restart")
  func kept() throws {
    let tablet = try TurnedTablet()
    #expect(try tablet.matrix() == Self.none)
    try tablet.client.setMountMatrix(TurnedTablet.right)
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
    try tablet.client.catchUp()
    #expect(
      tablet.client.heard.contains(
        .changed([
          "SensorMountMatrix": .text(TurnedTablet.right), "SensorMountMatrixSource": "calibration",
        ])))
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.polkit.questions.map(\.action) == ["org.orientationd1.set-mount-matrix"])
    #expect(try tablet.rig.end() == 0)
    let another = try tablet.rig.startAnotherDaemon()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
    // It is not the screen's state that was forgotten for it.
    try tablet.client.lock()
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
    withExtendedLifetime(another) {}
  }

  @Test("as a preview turns back by itself")
  func preview() throws {
    let tablet = try TurnedTablet()
    try tablet.client.previewMountMatrix(TurnedTablet.right, seconds: 1)
    #expect(try tablet.matrix() == Self.matrix(from: "preview"))
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeRight")
    #expect(try tablet.matrix() == Self.none)
  }

  @Test("as a preview is replaced by another one, and kept")
  func replaced() throws {
    let tablet = try TurnedTablet()
    try tablet.client.previewMountMatrix("1, 0, 0; 0, 1, 0; 0, 0, 1", seconds: 60)
    try tablet.client.previewMountMatrix(TurnedTablet.right, seconds: 60)
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.setMountMatrix(TurnedTablet.right)
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
  }

  @Test("as a preview is ended by its caller without permission, and by nobody else")
  func ended() throws {
    let tablet = try TurnedTablet()
    try tablet.client.endMountMatrixPreview()
    try tablet.client.previewMountMatrix(TurnedTablet.right, seconds: 60)
    try tablet.polkit.behave(.deny)
    try Client(on: tablet.bus).endMountMatrixPreview()
    #expect(try tablet.matrix() == Self.matrix(from: "preview"))
    try tablet.client.endMountMatrixPreview()
    #expect(try tablet.matrix() == Self.none)
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeRight")
  }

  @Test("as a preview that polkit still looks at comes before its end")
  func endedEarly() throws {
    let tablet = try TurnedTablet(.hang)
    var answers: [String] = []
    let preview = try tablet.client.bus.daemonCall("PreviewMountMatrix", of: DBusNames.sensorInterface)
    try preview.append(TurnedTablet.right)
    try preview.append(UInt32(60))
    try tablet.client.bus.callAsync(preview) { answers.append($0.error?.name ?? "preview") }.detach()
    let end = try tablet.client.bus.daemonCall("EndMountMatrixPreview", of: DBusNames.sensorInterface)
    try tablet.client.bus.callAsync(end) { answers.append($0.error?.name ?? "end") }.detach()
    try tablet.client.wait(for: "the question") { try tablet.polkit.questions.count == 1 }
    try tablet.polkit.allowLastFirst()
    try tablet.client.wait(for: "both answers") { answers.count == 2 }
    #expect(answers == ["preview", "end"])
    #expect(try tablet.matrix() == Self.none)
  }

  @Test("may mirror, as that of a chip with the opposite sign does")
  func mirrored() throws {
    let tablet = try TurnedTablet()
    let mirrored = "0, 1, 0; -1, 0, 0; 0, 0, -1"
    try tablet.client.setMountMatrix(mirrored)
    #expect(try tablet.matrix() == [.text(mirrored), "calibration"])
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
  }

  @Test("counts also where it cannot be saved, which StateIsKept tells")
  func unsaved() throws {
    let tablet = try TurnedTablet()
    try FileManager.default.createDirectory(
      atPath: "\(tablet.folder.path)/state.new/full", withIntermediateDirectories: true)
    try tablet.client.setMountMatrix(TurnedTablet.right)
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
    #expect(try tablet.client.properties(of: DBusNames.screenInterface)["StateIsKept"] == false)
    try FileManager.default.removeItem(atPath: "\(tablet.folder.path)/state.new")
  }

  @Test("is not lost with another one, whose line in the saved state is damaged; nor is the lock")
  func damaged() throws {
    let tablet = try TurnedTablet()
    try tablet.client.setMountMatrix(TurnedTablet.right)
    try tablet.client.lock()
    #expect(try tablet.rig.end() == 0)
    let text = tablet.folder.read("state")
    try tablet.folder.write(
      text.replacing("Complete", with: "MountMatrix=0, 0, 0; 0, 0, 0; 0, 0, 0 for x\nComplete"), to: "state")
    let another = try tablet.rig.startAnotherDaemon()
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
    #expect(try tablet.client.properties(of: DBusNames.screenInterface)["RotationLocked"] == true)
    try tablet.client.wait(for: "the state") { tablet.folder.read("state") == text }
    #expect(tablet.folder.read("state.kept-1").contains("MountMatrix=0, 0, 0;"))
    #expect(another.errors.contains("has a line that is not as this service writes it"))
  }

  @Test("as a preview turns back when its caller leaves, and not when another one does")
  func leaving() throws {
    let tablet = try TurnedTablet()
    var caller: Client? = try Client(on: tablet.bus)
    var other: Client? = try Client(on: tablet.bus)
    try other?.previewMountMatrix("-1, 0, 0; 0, 1, 0; 0, 0, -1", seconds: 60)
    try caller?.previewMountMatrix(TurnedTablet.right, seconds: 60)
    other = nil
    try tablet.client.spend(seconds: 0.2)
    #expect(try tablet.matrix() == Self.matrix(from: "preview"))
    caller = nil
    try tablet.client.wait(for: "the end of the preview") { try tablet.matrix() == Self.none }
    withExtendedLifetime((other, caller)) {}
  }

  @Test("is kept when its preview is confirmed, also after the time of that")
  func confirmed() throws {
    let tablet = try TurnedTablet()
    try tablet.client.previewMountMatrix(TurnedTablet.right, seconds: 1)
    try tablet.client.setMountMatrix(TurnedTablet.right)
    try tablet.client.spend(seconds: 1.3)
    #expect(try tablet.matrix() == Self.matrix(from: "calibration"))
  }

  @Test("is forgotten by a reset, and so is a preview; a reset of nothing needs no permission")
  func reset() throws {
    let tablet = try TurnedTablet()
    try tablet.client.setMountMatrix(TurnedTablet.right)
    try tablet.client.previewMountMatrix("-1, 0, 0; 0, 1, 0; 0, 0, -1", seconds: 60)
    try tablet.client.resetMountMatrix()
    #expect(try tablet.matrix() == Self.none)
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeRight")
    try tablet.polkit.behave(.deny)
    try tablet.client.resetMountMatrix()
    #expect(try tablet.polkit.questions.count == 3)
  }

  @Test(
    "that is wrong is refused with the reason, before anybody is asked",
    arguments: [
      "", "1, 0, 0; 0, 1, 0", "1, 0, 0; 0, 1, 0; 0, 0", "nan, 0, 0; 0, 1, 0; 0, 0, 1",
      "inf, 0, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0; 1, 0, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 0",
      "1e300, 0, 0; 0, 1e300, 0; 0, 0, 1e300", "9, 0, 0; 0, 9, 0; 0, 0, 9",
      "1, 0, 0; 0, 1, 0; 0, 0, 1" + String(repeating: " ", count: 600),
    ])
  func wrong(matrix: String) throws {
    let tablet = try TurnedTablet()
    try expectInvalid(tablet) { try tablet.client.setMountMatrix(matrix) }
    try expectInvalid(tablet) { try tablet.client.previewMountMatrix(matrix, seconds: 5) }
  }

  @Test(
    "of a preview that would take no time, or too long, is refused", arguments: [0, 61, .max] as [UInt32])
  func wrongTime(seconds: UInt32) throws {
    let tablet = try TurnedTablet()
    try expectInvalid(tablet) {
      try tablet.client.previewMountMatrix(TurnedTablet.right, seconds: seconds)
    }
  }

  private func expectInvalid(_ tablet: borrowing TurnedTablet, _ act: () throws -> Void) throws {
    let error = #expect(throws: BusError.self) { try act() }
    #expect(error?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    #expect(error?.message.isEmpty == false)
    #expect(try tablet.polkit.questions.isEmpty)
    #expect(try tablet.matrix() == Self.none)
  }

  @Test(
    "is refused without permission",
    arguments: [
      (.deny, "org.freedesktop.DBus.Error.AccessDenied"),
      (.challenge, "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"),
    ] as [(MockPolkit.Behaviour, String)])
  func refused(behaviour: MockPolkit.Behaviour, name: String) throws {
    let tablet = try TurnedTablet(behaviour)
    for act in [
      { try tablet.client.setMountMatrix(TurnedTablet.right) },
      { try tablet.client.previewMountMatrix(TurnedTablet.right, seconds: 5) },
    ] {
      let error = #expect(throws: BusError.self) { try act() }
      #expect(error?.name == name)
    }
    #expect(try tablet.matrix() == Self.none)
  }

  @Test("is refused where the configuration decides, and where there is no chip")
  func impossible() throws {
    let configured = try TurnedTablet(configuration: "MountMatrix=1, 0, 0; 0, 1, 0; 0, 0, 1\n")
    let error = #expect(throws: BusError.self) { try configured.client.setMountMatrix(TurnedTablet.right) }
    #expect(error?.name == "org.orientationd1.Error.MountMatrixConfigured")
    #expect(try configured.matrix() == ["1, 0, 0; 0, 1, 0; 0, 0, 1", "configuration"])
    let simulated = try TurnedTablet(sensor: "simulated")
    for act in [
      { try simulated.client.setMountMatrix(TurnedTablet.right) }, simulated.client.resetMountMatrix,
    ] {
      let error = #expect(throws: BusError.self) { try act() }
      #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    }
    #expect(try simulated.matrix() == ["", ""])
  }

  @Test("counts until the configuration has one, which a reload finds")
  func reloaded() throws {
    let tablet = try TurnedTablet()
    try tablet.client.setMountMatrix(TurnedTablet.right)
    try tablet.rig.folder.write("MountMatrix=1, 0, 0; 0, 1, 0; 0, 0, 1\n", to: "test.conf")
    tablet.rig.daemon.send(SIGHUP)
    try tablet.client.wait(for: "SensorMountMatrixSource", toBe: "configuration")
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeRight")
  }
}
