// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import OrientationService
import Systemd
import TestSupport
import Testing

/// A bus with a client, and a folder for the state of one daemon after the other.
private final class Lives {
  let folder: TemporaryFolder
  let bus: PrivateBus
  let client: Client
  private(set) var daemon: ChildProcess?

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
    client = try Client(on: bus)
  }

  var file: StateFile { StateFile(folder: folder.path) }

  func start(_ options: String...) throws {
    daemon = try Daemon.start(
      ["--sensor", "simulated", "--config", "/dev/null", "--state", folder.path] + options, bus: bus)
    try client.waitForService()
  }

  /// Ends the daemon by a signal, and waits until the bus knows.
  func end(by signal: Int32) throws {
    daemon?.send(signal)
    try daemon?.exitCode()
    try client.wait(for: "the name to be free") { try client.bus.owner(of: Daemon.busName) == nil }
  }

  var screen: [String: Value] {
    get throws { try client.properties(of: Daemon.screenInterface) }
  }

  /// Locks and unlocks by turns without waiting for an answer, until the daemon is gone.
  func toggleUntilTheEnd() throws {
    for turn in 0..<64 {
      let call = try client.bus.daemonCall("SetRotationLock", of: Daemon.screenInterface)
      try call.append(turn.isMultiple(of: 2))
      try call.forbidAutoStart()
      try client.bus.callAsync(call) { _ in }.detach()
    }
    try client.bus.flush()
  }
}

@Suite("What survives the daemon")
struct SurvivalTests {
  @Test(
    "lock, supported ones and the orientation chosen by hand survive a restart and SIGKILL",
    arguments: [SIGTERM, SIGKILL])
  func everything(signal: Int32) throws {
    let lives = try Lives()
    try lives.start()
    try lives.client.support(26)
    try lives.client.rotate(to: 4)
    try lives.client.lock()
    let before = try lives.screen
    try lives.end(by: signal)
    try lives.start()
    #expect(try lives.screen == before)
    #expect(before["RotationLocked"] == true)
    #expect(before["InterfaceOrientationName"] == "landscapeLeft")
    #expect(before["SupportedInterfaceOrientations"] == 26)
    try lives.client.lock(false)
    try lives.client.support(30)
    try lives.end(by: signal)
    try lives.start()
    #expect(try lives.screen["RotationLocked"] == false)
    #expect(try lives.screen["SupportedInterfaceOrientations"] == 30)
  }

  @Test("locked, it starts where it was, whatever way the tablet is held then")
  func startsLocked() throws {
    let lives = try Lives()
    try lives.start()
    try lives.client.rotate(to: 2)
    try lives.client.lock()
    try lives.end(by: SIGKILL)
    try lives.start()
    try lives.client.begin()
    try lives.client.wait(for: "SensorStatus", toBe: "active")
    try lives.client.spend(seconds: 0.5)
    #expect(try lives.screen["InterfaceOrientationName"] == "portraitUpsideDown")
    #expect(try lives.client.property("OrientationName") == "portrait")
  }

  @Test("killed 200 times while it saves, it never leaves a state that is none, nor more files")
  func killed() throws {
    let lives = try Lives()
    var seen: Set<Bool> = []
    // On a busy disk nothing but the first of the 64 may be saved by then.
    var longest: UInt32 = 12_000
    for _ in 0..<200 {
      try lives.start()
      try lives.toggleUntilTheEnd()
      usleep(UInt32.random(in: 0..<longest))
      if seen.count < 2 { longest += 1_000 }
      try lives.end(by: SIGKILL)
      switch try lives.file.load() {
      case .state(let state): seen.insert(state.isRotationLocked)
      case .nothing: break  // before the first
      case .unusable(let file): Issue.record("\(file)")
      }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: lives.folder.path)
    #expect(Set(files).isSubset(of: ["state", "state.new"]), "\(files)")
    #expect(seen == [true, false], "the kills were all at the same moment, or nothing was saved")
  }

  @Test("what cannot be saved takes effect all the same, is told once, and is saved once that works again")
  func unwritable() throws {
    let lives = try Lives()
    try lives.start("--verbose")
    #expect(try lives.screen["StateIsKept"] == true)
    // A folder in the temporary file's place can be made by every user, and keeps root out as well.
    try FileManager.default.createDirectory(
      atPath: "\(lives.folder.path)/state.new/full", withIntermediateDirectories: true)
    try lives.client.lock()
    try lives.client.rotate(to: 3)
    #expect(try lives.screen["RotationLocked"] == true)
    #expect(try lives.screen["StateIsKept"] == false)
    let complaints = lives.daemon?.errors.components(separatedBy: "\n").filter {
      $0.contains("cannot be saved")
    }
    #expect(complaints?.count == 1)
    try FileManager.default.removeItem(atPath: "\(lives.folder.path)/state.new")
    try lives.end(by: SIGTERM)
    #expect(
      try lives.file.load()
        == .state(SavedState(isRotationLocked: true, interfaceOrientation: .landscapeRight)))
  }
}
