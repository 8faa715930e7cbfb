// SPDX-License-Identifier: Apache-2.0

import CFaults
import Orientation
import Systemd
import TestSupport
import Testing

@testable import OrientationService

// One folder at a time can be slow.
@Suite("The keeper of the state, on a disk that takes its time,", .serialized)
final class SlowDiskTests {
  private let rig: StateRig
  private let keeper: ListenedKeeper
  private let states = [
    SavedState(isRotationLocked: true), SavedState(supported: .portrait),
    SavedState(interfaceOrientation: .landscapeLeft), unusualState,
  ]

  init() throws {
    rig = try StateRig()
    keeper = try ListenedKeeper(rig.folder.path)
    faults_hold_flushes(rig.folder.path)
  }

  deinit { faults_release_flushes() }

  /// Waits until so many files and folders were to be flushed.
  private func wait(forFlushes count: CInt) throws {
    try TestSupport.wait(for: "\(count) flushes") { faults_flushes() == count }
  }

  @Test("holds up nobody, and passes over the states that are not the newest any more when it is their turn")
  func newestWins() throws {
    for state in states { keeper.begin(toKeep: state) }
    try wait(forFlushes: 1)
    #expect(try keeper.loop.runOnce(timeoutSeconds: 0) == .timedOut)
    #expect(!keeper.isSettled)
    #expect(keeper.state == unusualState)
    faults_release_flushes()
    try keeper.settle()
    #expect(try rig.file.load() == .state(unusualState))
    // The first and the last, each a file and the folder.
    #expect(faults_flushes() == 4)
    #expect(keeper.told == [])
  }

  @Test("saves once more where what was saved is taken back meanwhile")
  func takenBack() throws {
    keeper.begin(toKeep: unusualState)
    try wait(forFlushes: 1)
    keeper.begin(toKeep: SavedState())
    #expect(!keeper.isSettled)
    faults_release_flushes()
    try keeper.settle()
    #expect(try rig.file.load() == .state(SavedState()))
  }

  @Test("saves once where it is asked for what is being saved already")
  func backAgain() throws {
    for state in [unusualState, SavedState(), unusualState] { keeper.begin(toKeep: state) }
    try wait(forFlushes: 1)
    faults_release_flushes()
    try keeper.settle()
    #expect(try rig.file.load() == .state(unusualState))
    #expect(faults_flushes() == 2)
  }

  @Test("has the newest state at the end, if it takes that in time")
  func end() throws {
    for state in states { keeper.begin(toKeep: state) }
    try wait(forFlushes: 1)
    faults_release_flushes()
    keeper.finish()
    #expect(keeper.isSettled)
    #expect(try rig.file.load() == .state(unusualState))
    #expect(keeper.told == [])
  }

  @Test("is not waited for beyond the end's patience, which is told")
  func hangs() throws {
    keeper.begin(toKeep: unusualState)
    keeper.finish(withinSeconds: 0.05)
    #expect(!keeper.isSettled)
    #expect(keeper.told == [.notSavedInTime])
  }

  @Test("that fails at last is told, and the newest state is tried")
  func failsAtLast() throws {
    keeper.begin(toKeep: states[0])
    try wait(forFlushes: 1)
    keeper.begin(toKeep: states[1])
    // In the way of the rename.
    try rig.folder.write("", to: "state/full")
    faults_release_flushes()
    try keeper.settle()
    #expect(keeper.told.count == 1)
    #expect(faults_flushes() == 2, "that of each file, as no name was changed")
  }
}
