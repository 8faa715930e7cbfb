// SPDX-License-Identifier: Apache-2.0

import CFaults
import Foundation
import Orientation
import TestSupport
import Testing

@testable import OrientationService

@Suite("Saving a state, where it fails,")
struct StateFileFailureTests {
  private let rig: StateRig

  init() throws { rig = try StateRig() }

  @Test(
    "names step, path and reason, leaves the old state whole and no temporary file, and works the next time",
    arguments: [
      (FAULTS_OPENAT, 0, ENOSPC, "/state.new: cannot be created: No space left on device"),
      (FAULTS_OPENAT, 0, EROFS, "/state.new: cannot be created: Read-only file system"),
      (FAULTS_WRITE, 0, ENOSPC, "/state.new: cannot be written: No space left on device"),
      (FAULTS_WRITE, 0, EDQUOT, "/state.new: cannot be written: Disk quota exceeded"),
      (FAULTS_FSYNC, 0, EIO, "/state.new: cannot be flushed to the disk: Input/output error"),
      (FAULTS_RENAMEAT, 0, EIO, "/state.new: cannot be renamed: Input/output error"),
      (FAULTS_UNLINKAT, 0, EROFS, "/state.new: cannot be removed: Read-only file system"),
    ])
  func everyStep(call: faults_call, skipped: CInt, code: CInt, words: String) throws {
    try rig.file.save(SavedState())
    faults_fail_call(call, skipped, code)
    let error = #expect(throws: StateFileError.self) { try rig.file.save(unusualState) }
    #expect(error?.description == rig.folder.path + words)
    #expect(error?.code == code)
    #expect(try rig.names == ["state"])
    #expect(try rig.file.load() == .state(SavedState()))
    try rig.file.save(unusualState)
    #expect(try rig.file.load() == .state(unusualState))
  }

  @Test("at the flushing of the folder names that, and the new state is whole")
  func folderFlush() throws {
    try rig.file.save(SavedState())
    faults_fail_call(FAULTS_FSYNC, 1, EIO)
    let error = StateFileError(path: rig.folder.path, problem: "cannot be flushed to the disk", code: EIO)
    #expect(throws: error) { try rig.file.save(unusualState) }
    #expect(try rig.names == ["state"])
    #expect(try rig.file.load() == .state(unusualState))
  }

  @Test("is not put off by a signal")
  func interrupted() throws {
    faults_fail_call(FAULTS_WRITE, 0, EINTR)
    try rig.file.save(unusualState)
    faults_fail_call(FAULTS_READ, 0, EINTR)
    #expect(try rig.file.load() == .state(unusualState))
  }

  @Test("for want of space after any number of bytes, leaves the old state whole and no temporary file")
  func noSpace() throws {
    let old = SavedState(interfaceOrientation: .portraitUpsideDown, supported: .all)
    try rig.file.save(old)
    let said = try StateHelper("save-within-limits", in: rig.folder.path).lines()
    let failed = "\(rig.path).new: cannot be written: File too large; the old state is whole"
    #expect(said.dropLast().allSatisfy { $0 == failed })
    #expect(said.count > 200)
    #expect(said.last == "saved")
    #expect(try rig.names == ["state"])
  }

  @Test("for want of permission, says so and leaves the old state whole")
  func unwritable() throws {
    try rig.file.save(unusualState)
    #expect(chmod(rig.folder.path, 0o500) == 0)
    let said = try StateHelper("save", in: rig.folder.path, isPrivileged: false).lines()
    #expect(said == ["\(rig.path).new: cannot be created: Permission denied"])
    #expect(chmod(rig.folder.path, 0o700) == 0)
    #expect(try rig.names == ["state"])
    #expect(try rig.file.load() == .state(unusualState))
  }

  @Test("as a directory lies in its place, says so and leaves no temporary file")
  func directoryInPlace() throws {
    #expect(mkdir(rig.path, 0o700) == 0)
    let error = #expect(throws: StateFileError.self) { try rig.file.save(unusualState) }
    #expect(error == StateFileError(path: "\(rig.path).new", problem: "cannot be renamed", code: EISDIR))
    #expect(try rig.names == ["state"])
  }

  @Test("where a file cannot be read or moved aside, is told with the reason")
  func keptInPlace() throws {
    try rig.file.save(unusualState)
    faults_fail_call(FAULTS_READ, 0, EIO)
    #expect(try rig.file.load() == rig.keptAside(.unreadable(code: EIO)))
    try rig.folder.write("hello", to: "state")
    faults_fail_call(FAULTS_RENAMEAT, 0, EROFS)
    let error = StateFileError(path: rig.path, problem: "cannot be renamed", code: EROFS)
    let unusable = UnusableStateFile(path: rig.path, defect: .foreign, whereabouts: .inPlace(error))
    #expect(try rig.file.load() == .unusable(unusable))
    #expect(try rig.names == ["state", "state.kept-1"])
  }
}
