// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import OrientationService
import Systemd
import TestSupport
import Testing

/// A daemon whose state lies on a disk that takes its time, with a client that changes the screen and one that does not.
private final class SlowDisk {
  let folder: TemporaryFolder
  let faults: DriverFaults
  let rig: Rig
  let other: Client
  let polkit: MockPolkit?

  static let held = DriverFault(.fsync, "state.new", .isHeld)

  init(_ fault: DriverFault = held, polkit: MockPolkit.Behaviour? = nil) throws {
    folder = try TemporaryFolder()
    faults = try DriverFaults([fault])
    let bus = try PrivateBus()
    self.polkit = try polkit.map { try MockPolkit(on: bus, $0) }
    rig = try Rig(
      sensor: "simulated", options: ["--state", folder.path], environment: faults.environment, bus: bus)
    other = try Client(on: bus)
  }

  /// Has the disk go on.
  func release() { faults.set([]) }

  var saved: LoadedState { get throws { try StateFile(folder: folder.path).load() } }

  /// The names of the daemon's threads.
  var threads: [String] {
    let tasks = "/proc/\(rig.daemon.id)/task"
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return ids.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
  }
}

/// The answers to a client's calls, in the order in which they come: the name of an error, or nil.
private final class Answers {
  private let client: Client
  private(set) var heard: [String?] = []

  init(to client: Client) { self.client = client }

  func lock(_ isLocked: Bool = true) throws { try call("SetRotationLock") { try $0.append(isLocked) } }

  func rotate(to orientation: UInt32) throws {
    try call("Rotate") { try $0.append(orientation) }
  }

  func wait(for count: Int) throws { try client.wait(for: "\(count) answers") { heard.count >= count } }

  private func call(_ method: String, _ arguments: (borrowing Message) throws -> Void) throws {
    let call = try client.bus.daemonCall(method, of: Daemon.screenInterface)
    try arguments(call)
    try client.bus.callAsync(call, timeoutSeconds: 100) { [unowned self] in heard.append($0.error?.name) }
      .detach()
  }
}

@Suite("While the disk takes its time")
struct SlowDiskTests {
  private static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"

  @Test(
    "everybody else is answered, changes are announced, and who changed something waits until it is saved")
  func slow() throws {
    let disk = try SlowDisk()
    let answers = Answers(to: disk.rig.client)
    try answers.lock()
    try disk.rig.client.wait(for: "the announcement") {
      disk.rig.client.heard.contains(.screenChanged(["RotationLocked": true]))
    }
    #expect(try disk.other.property("RotationLocked") == true)
    try disk.other.begin()
    #expect(try disk.other.getOrientation() != nil)
    try disk.rig.client.catchUp()
    #expect(answers.heard.isEmpty)
    #expect(disk.folder.read("state").isEmpty)
    disk.release()
    try answers.wait(for: 1)
    #expect(answers.heard == [nil])
    #expect(try disk.saved == .state(SavedState(isRotationLocked: true, interfaceOrientation: .portrait)))
    try wait(for: "the end of the thread that saved") { !disk.threads.contains("state-saver\n") }
  }

  @Test("a client's calls are answered in their order, those that change nothing or are refused too")
  func order() throws {
    let disk = try SlowDisk(polkit: .allow)
    let answers = Answers(to: disk.rig.client)
    try answers.lock()
    try disk.rig.client.wait(for: "RotationLocked", toBe: true)
    try answers.lock()
    try disk.polkit?.behave(.deny)
    try answers.rotate(to: 3)
    let others = Answers(to: disk.other)
    try others.rotate(to: 3)
    // Nothing of this one waits, so its refusal need not.
    try others.wait(for: 1)
    try disk.rig.client.catchUp()
    #expect(answers.heard.isEmpty)
    disk.release()
    try answers.wait(for: 3)
    #expect(answers.heard == [nil, nil, "org.freedesktop.DBus.Error.AccessDenied"])
  }

  @Test(
    "the ninth answer of a client that would wait, and the seventeenth of a user, are refused; who leaves makes room"
  )
  func limits() throws {
    let disk = try SlowDisk()
    let answers = Answers(to: disk.rig.client)
    try answers.lock()
    try disk.rig.client.wait(for: "RotationLocked", toBe: true)
    for _ in 0..<8 { try answers.lock() }
    try answers.wait(for: 1)
    #expect(answers.heard == [Self.limitsExceeded])
    let second = try Client(on: disk.rig.bus)
    let secondAnswers = Answers(to: second)
    // Once it is known whose they are, their calls are taken in the order in which they come.
    for client in [second, disk.other] { try client.begin() }
    var attempts: [Answers] = []
    for _ in 0..<8 { try secondAnswers.lock() }
    try second.catchUp()
    func refusal() throws -> String? {
      let answers = Answers(to: disk.other)
      attempts.append(answers)
      try answers.lock()
      try disk.other.catchUp()
      return answers.heard.first ?? nil
    }
    #expect(try refusal() == Self.limitsExceeded)
    #expect(secondAnswers.heard.isEmpty)
    second.bus.close()
    try disk.rig.client.wait(for: "room") { try refusal() == nil }
    disk.release()
    try answers.wait(for: 9)
    #expect(answers.heard.dropFirst().allSatisfy { $0 == nil })
  }

  @Test("SIGTERM waits for it, and the newest state is saved")
  func end() throws {
    let disk = try SlowDisk(DriverFault(.fsync, "state.new", .takes(milliseconds: 50)))
    let answers = Answers(to: disk.rig.client)
    try answers.lock()
    try answers.rotate(to: 4)
    try disk.rig.client.wait(for: "InterfaceOrientation", toBe: 4)
    #expect(try disk.rig.end() == 0)
    try answers.wait(for: 2)
    #expect(answers.heard == [nil, nil])
    #expect(
      try disk.saved == .state(SavedState(isRotationLocked: true, interfaceOrientation: .landscapeLeft)))
  }

  @Test("SIGTERM waits for one that hangs no longer than for anything, and says so")
  func hangs() throws {
    let disk = try SlowDisk()
    let answers = Answers(to: disk.rig.client)
    try answers.lock()
    try disk.rig.client.wait(for: "RotationLocked", toBe: true)
    #expect(try disk.rig.end() == 0)
    #expect(
      disk.rig.log.last == "orientationd: the disk does not answer; exiting without saving the rotation lock")
    #expect(answers.heard.isEmpty)
  }
}
