// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import OrientationService
import TestSupport
import Testing

@Suite("The daemon's saved state")
struct SavedStateTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus
  private let client: Client

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
    client = try Client(on: bus)
  }

  /// Starts the daemon, ends it as the service manager does, and returns what it has logged.
  private func log(_ arguments: [String], stateDirectory: String? = nil) throws -> String {
    let environment = stateDirectory.map { ["STATE_DIRECTORY": $0] } ?? [:]
    let daemon = try Daemon.start(
      ["--sensor", "simulated", "--config", "/dev/null"] + arguments, bus: bus, environment: environment)
    try client.waitForService()
    daemon.send(SIGTERM)
    #expect(try daemon.exitCode() == 0)
    return daemon.errors
  }

  @Test("damaged, is named in the log, once, with where it is kept, and the daemon serves on")
  func damaged() throws {
    let path = try folder.write("hello\n", to: "state")
    let complaint = "\(path) is not a state as this service writes it; it is kept as \(path).kept-1"
    let first = try log(["--state", folder.path])
    #expect(first.components(separatedBy: "\n").filter { $0.contains(complaint) }.count == 1)
    #expect(FileManager.default.contents(atPath: "\(path).kept-1") == Data("hello\n".utf8))
    #expect(!(try log(["--state", folder.path])).contains("state"))
  }

  @Test("lies in the service manager's folder, unless --state names another")
  func managedFolder() throws {
    let managed = try TemporaryFolder()
    let path = try folder.write("hello\n", to: "state")
    let managedPath = try managed.write("hello\n", to: "state")
    let named = try log(["--state", folder.path], stateDirectory: managed.path)
    #expect(named.contains("\(path).kept-1"))
    #expect(!named.contains(managedPath))
    let unnamed = try log([], stateDirectory: "\(managed.path):\(folder.path)")
    #expect(unnamed.contains("\(managedPath).kept-1"))
  }

  @Test("without a folder is not kept, which only --verbose mentions")
  func notKept() throws {
    #expect(try log(["--verbose"]).contains("neither --state nor STATE_DIRECTORY is set"))
    #expect(!(try log([])).contains("STATE_DIRECTORY"))
  }

  @Test("in a folder that is missing, is named in the log, and the daemon serves on")
  func missing() throws {
    let missing = "\(folder.path)/missing"
    let reason = "the saved state cannot be read: \(missing): cannot be opened: No such file or directory"
    #expect(try log(["--state", missing]).contains(reason))
  }

  @Test("is left as it is by a daemon whose screen nobody touches, and is not written where there is none")
  func untouched() throws {
    let file = StateFile(folder: folder.path)
    _ = try log(["--state", folder.path])
    #expect(try file.load() == .nothing)
    let state = SavedState(isRotationLocked: true, interfaceOrientation: .landscapeLeft)
    try file.save(state)
    _ = try log(["--state", folder.path])
    #expect(try file.load() == .state(state))
  }
}
