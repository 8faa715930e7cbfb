// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@testable import OrientationService

/// A folder with a state file in it.
struct StateRig {
  let folder: TemporaryFolder
  let file: StateFile

  init() throws {
    folder = try TemporaryFolder()
    file = StateFile(folder: folder.path)
  }

  var path: String { "\(folder.path)/state" }

  /// The names of all that the folder has.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// What `load` says of something that is no state and was kept aside.
  func keptAside(_ defect: StateFileDefect, number: Int = 1) -> LoadedState {
    .unusable(
      UnusableStateFile(path: path, defect: defect, whereabouts: .keptAside(path: "\(path).kept-\(number)")))
  }
}

@Suite("The state file")
struct StateFileTests {
  private let rig: StateRig

  init() throws { rig = try StateRig() }

  @Test("is not there at first, and then is what was saved last, readable for its owner alone")
  func roundTrip() throws {
    #expect(try rig.file.load() == .nothing)
    for state in everyState {
      try rig.file.save(state)
      #expect(try rig.file.load() == .state(state))
    }
    #expect(try rig.names == ["state"])
    let mode = try FileManager.default.attributesOfItem(atPath: rig.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("cut off anywhere, is kept aside with all that is left of it")
  func cutOff() throws {
    let text = Array(unusualState.text.utf8)
    for length in 0..<text.count {
      _ = try rig.folder.write(bytes: Array(text.prefix(length)), to: "state")
      #expect(try rig.file.load() == rig.keptAside(.cutOff))
      #expect(FileManager.default.contents(atPath: "\(rig.path).kept-1") == Data(text.prefix(length)))
      #expect(try rig.file.load() == .nothing)
      try FileManager.default.removeItem(atPath: "\(rig.path).kept-1")
    }
  }

  @Test("that another program or a later version has written is kept aside")
  func foreign() throws {
    try rig.folder.write("hello\n", to: "state")
    #expect(try rig.file.load() == rig.keptAside(.foreign))
    let newer = unusualState.text.replacing("Version=1", with: "Version=3")
    try rig.folder.write(newer, to: "state")
    let loaded = try rig.file.load()
    #expect(loaded == rig.keptAside(.newerVersion(3), number: 2))
    #expect(FileManager.default.contents(atPath: "\(rig.path).kept-2") == Data(newer.utf8))
  }

  @Test("of any size is kept aside without being read")
  func large() throws {
    #expect(truncate(try rig.folder.write("", to: "state"), 1 << 40) == 0)
    #expect(try rig.file.load() == rig.keptAside(.tooLarge))
    try rig.folder.write(String(repeating: "#", count: StateFolder.largestFile + 1), to: "state")
    #expect(try rig.file.load() == rig.keptAside(.tooLarge, number: 2))
    try rig.folder.write(String(repeating: "#", count: StateFolder.largestFile), to: "state")
    #expect(try rig.file.load() == rig.keptAside(.foreign, number: 3))
  }

  @Test(
    "replaced by a FIFO, a directory, a link or a socket is kept aside, and nothing is waited for or followed"
  )
  func special() throws {
    let elsewhere = try rig.folder.write(unusualState.text, to: "elsewhere")
    #expect(mkfifo(rig.path, 0o600) == 0)
    #expect(try rig.file.load() == rig.keptAside(.notRegular))
    #expect(mkdir(rig.path, 0o700) == 0)
    #expect(try rig.file.load() == rig.keptAside(.notRegular, number: 2))
    #expect(symlink(elsewhere, rig.path) == 0)
    #expect(try rig.file.load() == rig.keptAside(.notRegular, number: 3))
    #expect(symlink("/nonexistent", rig.path) == 0)
    #expect(try rig.file.load() == rig.keptAside(.notRegular, number: 4))
    #expect(mknod(rig.path, S_IFSOCK | 0o600, 0) == 0)
    #expect(try rig.file.load() == rig.keptAside(.notRegular, number: 5))
    #expect(FileManager.default.contents(atPath: elsewhere) == Data(unusualState.text.utf8))
  }

  @Test("without read permission is kept aside, and what it is stays unknown")
  func unreadable() throws {
    try rig.file.save(unusualState)
    #expect(chmod(rig.path, 0) == 0)
    let said = try StateHelper("load", in: rig.folder.path, isPrivileged: false).lines()
    #expect(
      said == ["unusable(\(rig.path) cannot be read: Permission denied; it is kept as \(rig.path).kept-1)"])
  }

  @Test("of which only a line is wrong stays until a state replaces it, and a copy is kept aside")
  func wrongLine() throws {
    let text = unusualState.text.replacing("Version=1", with: "Version=2").replacing(
      "Complete", with: "x\nComplete")
    try rig.folder.write(text, to: "state")
    #expect(try rig.file.load() == rig.keptAside(.wrongLine(rest: unusualState)))
    for name in ["state", "state.kept-1"] { #expect(rig.folder.read(name) == text) }
  }

  @Test("that is no state is kept aside five times; the sixth stays until a state replaces it")
  func bounded() throws {
    for number in 1...5 {
      try rig.folder.write("\(number)", to: "state")
      #expect(try rig.file.load() == rig.keptAside(.foreign, number: number))
    }
    for _ in 1...2 {
      try rig.folder.write("6", to: "state")
      let unusable = UnusableStateFile(path: rig.path, defect: .foreign, whereabouts: .inPlaceOfMany)
      #expect(try rig.file.load() == .unusable(unusable))
    }
    try rig.file.save(unusualState)
    #expect(try rig.file.load() == .state(unusualState))
    #expect(try rig.names == ["state"] + (1...5).map { "state.kept-\($0)" })
    for number in 1...5 {
      #expect(FileManager.default.contents(atPath: "\(rig.path).kept-\(number)") == Data("\(number)".utf8))
    }
  }

  @Test("is saved beside what a killed daemon has left, which is removed")
  func leftOver() throws {
    try rig.folder.write("half a sta", to: "state.new")
    try rig.file.save(unusualState)
    #expect(try rig.names == ["state"])
    try rig.folder.write("half a sta", to: "state.new")
    #expect(try rig.file.load() == .state(unusualState))
    #expect(try rig.names == ["state"])
  }

  @Test("is not saved through a link that lies in the way of the temporary file")
  func linkInTheWay() throws {
    let elsewhere = try rig.folder.write("precious", to: "elsewhere")
    #expect(symlink(elsewhere, "\(rig.path).new") == 0)
    try rig.file.save(unusualState)
    #expect(FileManager.default.contents(atPath: elsewhere) == Data("precious".utf8))
    #expect(try rig.file.load() == .state(unusualState))
  }

  @Test("in a folder that another process works in fails at once, and works afterwards")
  func locked() throws {
    let other = open(rig.folder.path, O_RDONLY)
    #expect(flock(other, LOCK_EX) == 0)
    let inUse = StateFileError(
      path: rig.folder.path, problem: "is in use by another process", code: EWOULDBLOCK)
    #expect(throws: inUse) { try rig.file.save(unusualState) }
    #expect(throws: inUse) { try rig.file.load() }
    close(other)
    try rig.file.save(unusualState)
  }

  @Test("in a folder that is missing, or is none, fails and names it")
  func noFolder() throws {
    let missing = StateFile(folder: "\(rig.folder.path)/missing")
    let error = #expect(throws: StateFileError.self) { try missing.load() }
    #expect(error?.description == "\(missing.folder): cannot be opened: No such file or directory")
    let fifo = StateFile(folder: rig.path)
    #expect(mkfifo(rig.path, 0o600) == 0)
    #expect(throws: StateFileError(path: rig.path, problem: "cannot be opened", code: ENOTDIR)) {
      try fifo.save(unusualState)
    }
  }
}
