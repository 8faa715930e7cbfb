// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@Suite("The examples for app authors")
struct ExampleTests {
  @Test("each prints the orientation, each turn and the lock", arguments: Example.allCases)
  func follows(example: Example) throws {
    let tablet = try Tablet()
    let running = try RunningExample(example, at: tablet.rig.bus.address)
    try running.wait(for: "portrait, rotation unlocked")
    tablet.hold(.landscapeLeft)
    try running.wait(for: "landscapeLeft, rotation unlocked")
    try tablet.client.lock()
    try running.wait(for: "landscapeLeft, rotation locked")
    try tablet.client.lock(false)
    try running.wait(for: "landscapeLeft, rotation unlocked")
    let lines = running.process.lines
    #expect(zip(lines, lines.dropFirst()).allSatisfy(!=), "a line twice: \(lines)")
    #expect(running.process.errors.isEmpty)
  }

  @Test("each ends its subscription when a signal ends it", arguments: Example.allCases, [SIGTERM, SIGINT])
  func ends(example: Example, signal: CInt) throws {
    let tablet = try Tablet(options: ["--verbose"])
    let running = try RunningExample(example, at: tablet.rig.bus.address)
    try running.wait(for: "portrait, rotation unlocked")
    running.process.send(signal)
    #expect(try running.process.exitCode() == 0)
    try tablet.client.wait(for: "GeneratesDeviceOrientationNotifications", toBe: .boolean(false))
    // Not "has left": it has said so itself.
    #expect(tablet.rig.log.contains { $0.hasSuffix(" ends") })
    #expect(running.process.errors.isEmpty)
  }

  @Test("each goes on after the daemon was restarted", arguments: Example.allCases)
  func restart(example: Example) throws {
    let bus = try PrivateBus()
    let first = try Tablet(bus: bus)
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "portrait, rotation unlocked")
    #expect(try first.rig.end() == 0)
    let second = try Tablet(options: ["--verbose"], bus: bus)
    second.hold(.landscapeRight)
    try running.wait(for: "landscapeRight, rotation unlocked")
    #expect(second.rig.log.filter { $0.hasSuffix(" begins") }.count == 1)
  }

  @Test("each starts a daemon that does not run, and begins once", arguments: Example.allCases)
  func activation(example: Example) throws {
    let folder = try TemporaryFolder()
    let log = "\(folder.path)/log"
    let daemon = "\(Daemon.path) --sensor simulated --config /dev/null --verbose"
    let bus = try PrivateBus(activating: [Daemon.busName: "/bin/sh -c 'exec \(daemon) 2>\(log)'"])
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "portrait, rotation unlocked")
    #expect(folder.read("log").matches(of: /client .* begins/).count == 1)
    running.process.send(SIGTERM)
    #expect(try running.process.exitCode() == 0)
    #expect(running.process.errors.isEmpty)
  }

  @Test("none has more than 40 lines of code", arguments: Example.allCases)
  func length(example: Example) throws {
    #expect(try 20...40 ~= example.lines().count)
  }
}

/// A Flatpak's system bus: what xdg-dbus-proxy lets through.
private final class FlatpakBus {
  let proxy: ChildProcess
  let address: String
  private let folder: TemporaryFolder

  /// Starts it as `flatpak run` does.
  ///
  /// - Parameters:
  ///   - bus: the real bus.
  ///   - names: those of `--system-talk-name`.
  /// - Throws: ``GaveUp`` if it does not come up.
  init(before bus: PrivateBus, talkingTo names: [String]) throws {
    folder = try TemporaryFolder()
    let socket = "\(folder.path)/bus"
    address = "unix:path=\(socket)"
    proxy = try ChildProcess(
      "xdg-dbus-proxy", [bus.address, socket, "--filter", "--log"] + names.map { "--talk=\($0)" })
    try wait(for: "xdg-dbus-proxy") { FileManager.default.fileExists(atPath: socket) }
  }
}

@Suite("An app in a Flatpak")
struct FlatpakTests {
  /// Those whose library can be used behind the xdg-dbus-proxy of Debian 12: it does not understand how sd-bus begins.
  static let examples = Example.allCases.filter { $0 != .c }

  @Test("follows the tablet with --system-talk-name=org.orientationd1", arguments: examples)
  func permitted(example: Example) throws {
    let tablet = try Tablet()
    let bus = try FlatpakBus(before: tablet.rig.bus, talkingTo: [Daemon.busName])
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "portrait, rotation unlocked")
    tablet.hold(.landscapeLeft)
    try running.wait(for: "landscapeLeft, rotation unlocked")
  }

  @Test("sees nothing of the daemon without it", arguments: examples)
  func refused(example: Example) throws {
    let tablet = try Tablet(options: ["--verbose"])
    let bus = try FlatpakBus(before: tablet.rig.bus, talkingTo: ["org.example.Other"])
    let running = try RunningExample(example, at: bus.address)
    try wait(for: "a message that is refused") {
      (bus.proxy.output + bus.proxy.errors).contains("*HIDDEN*") || !running.process.isRunning
    }
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.turn(to: .landscapeLeft)
    #expect(running.process.output.isEmpty)
    #expect(tablet.rig.log.filter { $0.hasSuffix(" begins") }.count == 1, "the test's own client")
  }
}
