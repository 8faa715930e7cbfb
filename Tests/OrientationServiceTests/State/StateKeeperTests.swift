// SPDX-License-Identifier: Apache-2.0

import Foundation
import IIO
import Orientation
import Systemd
import TestSupport
import Testing

@testable import OrientationService

/// A keeper with all that it has told.
final class ListenedKeeper {
  let loop: EventLoop
  private(set) var told: [StateEvent] = []
  private var keeper: StateKeeper?

  init(_ folder: String?, retrySeconds: Double = StateKeeper.retrySeconds) throws {
    loop = try EventLoop()
    keeper = try StateKeeper(folder: folder, loop: loop, retrySeconds: retrySeconds) {
      [unowned self] in told.append($0)
    }
  }

  var state: SavedState? { keeper?.state }
  var isSettled: Bool { keeper?.isSettled ?? true }

  /// Has it keep a state, without waiting for that.
  func begin(toKeep state: SavedState) { keeper?.keep(state) }

  /// Has it keep a state, and waits until that is saved or cannot be.
  func keep(_ state: SavedState) throws {
    begin(toKeep: state)
    try settle()
  }

  /// Waits until the newest state is saved or cannot be.
  func settle() throws {
    try TestSupport.wait(
      for: "the save", pause: { try loop.runOnce(timeoutSeconds: 0.02) }, until: { isSettled })
  }

  func finish(withinSeconds seconds: Double = 10) {
    keeper?.finish(by: .now.advanced(bySeconds: seconds))
  }

  /// Runs the loop until it has told so much, or for 10 s, which is a failure.
  func wait(forEvents count: Int) throws {
    let end = Date(timeIntervalSinceNow: 10)
    while told.count < count && Date() < end { try loop.runOnce(timeoutSeconds: 0.1) }
    #expect(told.count == count)
  }
}

@Suite("The keeper of the state")
struct StateKeeperTests {
  private let rig: StateRig

  init() throws { rig = try StateRig() }

  @Test("begins with the defaults, and the next one with what was kept last")
  func restart() throws {
    let first = try ListenedKeeper(rig.folder.path)
    #expect(first.state == SavedState())
    try first.keep(unusualState)
    #expect(first.state == unusualState)
    #expect(try ListenedKeeper(rig.folder.path).state == unusualState)
    #expect(first.told == [])
  }

  @Test("saves, and only what differs from what was saved last")
  func onlyChanges() throws {
    let keeper = try ListenedKeeper(rig.folder.path)
    try keeper.keep(SavedState())
    #expect(try rig.names == [])
    try keeper.keep(unusualState)
    #expect(try rig.file.load() == .state(unusualState))
    try FileManager.default.removeItem(atPath: rig.path)
    try keeper.keep(unusualState)
    keeper.finish()
    #expect(try rig.names == [])
    try keeper.keep(SavedState())
    #expect(try rig.file.load() == .state(SavedState()))
  }

  @Test("without a folder keeps the state in memory, and says so once")
  func noFolder() throws {
    let keeper = try ListenedKeeper(nil)
    try keeper.keep(unusualState)
    keeper.finish()
    #expect(keeper.state == unusualState)
    #expect(keeper.told == [.notKept])
  }

  @Test("tells of a file that is none, once, and begins with the defaults")
  func unusable() throws {
    try rig.folder.write("hello", to: "state")
    let keeper = try ListenedKeeper(rig.folder.path)
    #expect(keeper.state == SavedState())
    guard case .unusable(let file) = rig.keptAside(.foreign) else { return }
    #expect(keeper.told == [.unusable(file)])
    try keeper.keep(unusualState)
    #expect(try rig.file.load() == .state(unusualState))
    #expect(keeper.told.count == 1)
  }

  @Test(
    "tells of a line that is not as it is written, begins with the others, and has them on the disk at once")
  func wrongLine() throws {
    try rig.folder.write(
      unusualState.text.replacing("Version=1", with: "Version=2").replacing("Complete", with: "x\nComplete"),
      to: "state")
    let keeper = try ListenedKeeper(rig.folder.path)
    #expect(keeper.state == unusualState)
    guard case .unusable(let file) = rig.keptAside(.wrongLine(rest: unusualState)) else { return }
    #expect(keeper.told == [.unusable(file)])
    try wait(for: "the state") { try rig.names == ["state", "state.kept-1"] }
    // Until then it has the folder's lock.
    keeper.finish()
    #expect(try rig.file.load() == .state(unusualState))
  }

  @Test("that cannot save tells so once, tries again by itself, saves the newest and tells so once")
  func failure() throws {
    let keeper = try ListenedKeeper(rig.folder.path, retrySeconds: 0.02)
    let kept = [SavedState(isRotationLocked: true), SavedState(supported: .portrait), unusualState]
    for round in 0..<2 {
      try FileManager.default.removeItem(atPath: rig.folder.path)
      for state in kept { try keeper.keep(state) }
      // Some attempts later it has still told once.
      for _ in 0..<5 { try keeper.loop.runOnce(timeoutSeconds: 5) }
      #expect(keeper.told.count == 2 * round + 1)
      let error = StateFileError(path: rig.folder.path, problem: "cannot be opened", code: ENOENT)
      #expect(keeper.told.last == .cannotSave(error))
      try FileManager.default.createDirectory(atPath: rig.folder.path, withIntermediateDirectories: false)
      try keeper.wait(forEvents: 2 * round + 2)
      #expect(keeper.told.last == .savedAgain)
      #expect(try rig.file.load() == .state(unusualState))
    }
    // Saved, it is at rest.
    #expect(try keeper.loop.runOnce(timeoutSeconds: 0.1) == .timedOut)
  }

  @Test("that could not save tries once more at the end")
  func finish() throws {
    let missing = "\(rig.folder.path)/missing"
    let keeper = try ListenedKeeper(missing)
    try keeper.keep(unusualState)
    keeper.finish()
    let error = StateFileError(path: missing, problem: "cannot be opened", code: ENOENT)
    #expect(keeper.told == [.cannotLoad(error), .cannotSave(error)])
    try FileManager.default.createDirectory(atPath: missing, withIntermediateDirectories: false)
    keeper.finish()
    #expect(try StateFile(folder: missing).load() == .state(unusualState))
    #expect(keeper.told.last == .savedAgain)
  }

  @Test("that could not read a state at the start keeps it aside")
  func unread() throws {
    try rig.file.save(unusualState)
    let lock = open(rig.folder.path, O_RDONLY)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let keeper = try ListenedKeeper(rig.folder.path)
    close(lock)
    var state = SavedState()
    for responsiveness in [Responsiveness.calm, .quick] {
      state.responsiveness = responsiveness
      try keeper.keep(state)
    }
    #expect(try rig.file.load() == .state(state))
    let kept = try Data(contentsOf: URL(fileURLWithPath: "\(rig.path).kept-1"))
    #expect(try SavedState(parsing: Array(kept)) == unusualState)
    #expect(!FileManager.default.fileExists(atPath: "\(rig.path).kept-2"))
  }

  @Test("goes back to an older state on the disk after a failure in between")
  func backAgain() throws {
    let keeper = try ListenedKeeper(rig.folder.path)
    try keeper.keep(unusualState)
    #expect(mkdir("\(rig.path).new", 0o700) == 0)
    try keeper.keep(SavedState())
    #expect(rmdir("\(rig.path).new") == 0)
    try keeper.keep(unusualState)
    #expect(try rig.file.load() == .state(unusualState))
    #expect(keeper.told.count == 2)
    #expect(keeper.told.last == .savedAgain)
  }
}
