// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import TestSupport

/// logind by python-dbusmock, in a process of its own: it counts who has it wait, and says what a test has it say.
final class MockLogind {
  private static let name = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let process: ChildProcess
  private let bus: Bus

  init(on privateBus: PrivateBus) throws {
    // Debian's own Python has Debian's dbusmock; another in the path has not.
    process = try privateBus.start(
      "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"])
    bus = try Bus.open(.address(privateBus.address))
    try wait(for: "logind on the bus") {
      guard process.isRunning else { throw GaveUp(description: process.errors) }
      return try bus.owner(of: Self.name) != nil
    }
  }

  /// Tells everybody that the machine is about to sleep, or awake again.
  func tell(isAboutToSleep: Bool) throws {
    let call = try bus.methodCall(
      destination: Self.name, path: Self.path, interface: "org.freedesktop.DBus.Mock", member: "EmitSignal")
    try call.append(Self.interface)
    try call.append("PrepareForSleep")
    try call.append("b")
    try call.append(.array, "v") { list throws(BusError) in
      try list.append(.variant, "b") { value throws(BusError) in try value.append(isAboutToSleep) }
    }
    _ = try bus.call(call)
  }

  /// How many have it wait before it lets the machine sleep.
  func inhibitorCount() throws -> Int {
    let call = try bus.methodCall(
      destination: Self.name, path: Self.path, interface: Self.interface, member: "ListInhibitors")
    var count = 0
    try bus.call(call).readArray(of: "(ssssuu)") { list throws(BusError) in
      try list.read(.structure, "ssssuu") { fields throws(BusError) in
        for _ in 0..<4 { _ = try fields.readString() }
        for _ in 0..<2 { _ = try fields.readUInt32() }
      }
      count += 1
    }
    return count
  }

  /// Ends it, as a crash would.
  func end() throws {
    process.send(SIGKILL)
    try process.exitCode()
  }
}
