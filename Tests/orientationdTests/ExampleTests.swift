// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@Suite("The examples for app authors")
struct ExampleTests {
  @Test("each prints the orientation, each turn and the lock", arguments: Example.orientations)
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

  @Test(
    "each ends its subscription when a signal ends it", arguments: Example.orientations, [SIGTERM, SIGINT])
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

  @Test("each goes on after the daemon was restarted", arguments: Example.orientations)
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

  @Test("each starts a daemon that does not run, and begins once", arguments: Example.orientations)
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

  @Test(
    "each goes on without a daemon that cannot be started, and does its work when there is one",
    arguments: Example.allCases)
  func withoutDaemon(example: Example) throws {
    let folder = try TemporaryFolder()
    let command = "/bin/sh -c 'echo >>\(folder.path)/starts; exit 1'"
    let bus = try PrivateBus(activating: [Daemon.busName: command])
    let running = try RunningExample(example, at: bus.address)
    try wait(for: "an attempt to start it") { folder.read("starts") != "" || !running.process.isRunning }
    let tablet = try Tablet(bus: bus)
    try running.wait(for: example.firstLine)
    #expect(running.process.lines.last == example.firstLine)
    withExtendedLifetime(tablet) {}
  }

  @Test(
    "none starts a daemon that has ended, neither after its last signals nor to say goodbye",
    arguments: Example.allCases)
  func leaves(example: Example) throws {
    let folder = try TemporaryFolder()
    let start = "echo $$ >>\(folder.path)/starts; exec \(Daemon.path) --sensor simulated --config /dev/null"
    let bus = try PrivateBus(activating: [Daemon.busName: "/bin/sh -c '\(start)'"])
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: example.firstLine)
    let client = try Client(on: bus)
    let daemon = try #require(pid_t(folder.read("starts").trimmingCharacters(in: .newlines)))
    running.process.send(SIGSTOP)  // as if the machine were busy
    try client.lock()
    kill(daemon, SIGTERM)
    try client.wait(for: "its end") { kill(daemon, 0) != 0 }
    running.process.send(SIGCONT)
    try client.spend(seconds: 2)
    running.process.send(SIGTERM)
    #expect(try running.process.exitCode() == 0)
    #expect(folder.read("starts").split(separator: "\n").count == 1)
    #expect(running.process.errors.isEmpty)
  }

  @Test(
    "none has more than 40 lines of code, or 70 where a desktop must not wait", arguments: Example.allCases)
  func length(example: Example) throws {
    #expect(try 20...(example == .shellInC ? 70 : 40) ~= example.lines().count)
  }
}

@Suite("The example for apps that need the interface's orientation")
struct InterfaceExampleTests {
  @Test("it prints that while a program turns the screen, and why it is not known while none does")
  func follows() throws {
    let bus = try PrivateBus()
    let tablet = try Tablet(bus: bus)
    let running = try RunningExample(.interface, at: bus.address)
    try running.wait(for: "unknown: nothing turns the screen as the daemon says")
    _ = try tablet.client.call("BeginFollowing", of: Daemon.screenInterface)
    try running.wait(for: "portrait")
    tablet.hold(.landscapeLeft)
    try running.wait(for: "landscapeRight")
    #expect(try tablet.rig.end() == 0)
    try running.wait(for: "unknown: the daemon does not run")
    let next = try Tablet(bus: bus)
    _ = try next.client.call("BeginFollowing", of: Daemon.screenInterface)
    try running.wait(for: "portrait")
    running.process.send(SIGTERM)
    #expect(try running.process.exitCode() == 0)
    try next.client.wait(for: "GeneratesDeviceOrientationNotifications", toBe: .boolean(true))
    #expect(running.process.errors.isEmpty)
  }
}

@Suite("The examples for authors of desktops")
struct ShellExampleTests {
  private static func followers(_ count: Int, at client: Client) throws {
    try client.wait(for: "\(count) followers") {
      guard case .texts(let names) = try client.property("Followers") else { return false }
      return names.count == count
    }
  }

  @Test(
    "each leaves its screen alone until it is decided, and then sets each transform once",
    arguments: Example.shells)
  func follows(example: Example) throws {
    let tablet = try Tablet()
    tablet.hold(.faceUp)
    let running = try RunningExample(example, at: tablet.rig.bus.address)
    try tablet.client.wait(for: "OrientationName", toBe: "faceUp")
    try tablet.client.spend(seconds: 0.5)
    #expect(running.process.output.isEmpty)
    tablet.hold(.landscapeRight)
    try running.wait(for: "set transform 90, landscapeLeft")
    try tablet.client.lock()
    try tablet.turnUnheard(to: .portraitUpsideDown)
    try tablet.client.lock(false)
    try running.wait(for: "set transform 180, portraitUpsideDown")
    tablet.hold(.landscapeLeft)
    try running.wait(for: "set transform 270, landscapeRight")
    tablet.hold(.portrait)
    try running.wait(for: "set transform normal, portrait")
    #expect(running.process.lines.count == 4, "\(running.process.lines)")
    #expect(running.process.errors.isEmpty)
  }

  @Test("each says that it ends when a signal ends it", arguments: Example.shells, [SIGTERM, SIGINT])
  func ends(example: Example, signal: CInt) throws {
    let tablet = try Tablet()
    let calls = try CallMonitor(of: "EndFollowing", on: tablet.rig.bus)
    let running = try RunningExample(example, at: tablet.rig.bus.address)
    try running.wait(for: "set transform normal, portrait")
    try Self.followers(1, at: tablet.client)
    running.process.send(signal)
    #expect(try running.process.exitCode() == 0)
    try Self.followers(0, at: tablet.client)
    // It leaves the bus anyway.
    try wait(for: "the call") { calls.isCalled }
    #expect(running.process.errors.isEmpty)
  }

  @Test(
    "each goes on after the daemon was restarted, and sets nothing that is set", arguments: Example.shells)
  func restart(example: Example) throws {
    let bus = try PrivateBus()
    let first = try Tablet(bus: bus)
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "set transform normal, portrait")
    #expect(try first.rig.end() == 0)
    let second = try Tablet(bus: bus)
    try Self.followers(1, at: second.client)
    try second.client.wait(for: "OrientationName", toBe: "portrait")
    second.hold(.landscapeRight)
    try running.wait(for: "set transform 90, landscapeLeft")
    #expect(running.process.lines.count == 2, "\(running.process.lines)")
  }

  @Test("each starts a daemon that does not run", arguments: Example.shells)
  func activation(example: Example) throws {
    let daemon = "\(Daemon.path) --sensor simulated --config /dev/null"
    let bus = try PrivateBus(activating: [Daemon.busName: daemon])
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "set transform normal, portrait")
    running.process.send(SIGTERM)
    #expect(try running.process.exitCode() == 0)
    #expect(running.process.errors.isEmpty)
  }

  @Test("each prints why it may not turn the screen", arguments: Example.shells)
  func refused(example: Example) throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .deny)
    let tablet = try Tablet(bus: bus)
    let running = try RunningExample(example, at: bus.address)
    try wait(for: "the reason") { running.process.errors.hasSuffix("\n") }
    #expect(running.process.errors.hasPrefix("cannot follow: "))
    #expect(!running.process.errors.contains("AccessDenied"))
    #expect(try polkit.questions.map(\.action) == ["org.orientationd1.rotate"])
    #expect(tablet.rig.daemon.isRunning)
  }
}

@Suite("The examples that hold the screen")
struct HoldExampleTests {
  private static let listed = "24 org.example.Film shows a film"

  @Test("each holds landscape until a signal ends it", arguments: Example.holds, [SIGTERM, SIGINT])
  func holds(example: Example, signal: CInt) throws {
    let tablet = try Tablet.generating()
    let calls = try CallMonitor(of: "ReleaseInterfaceOrientations", on: tablet.rig.bus)
    let running = try RunningExample(example, at: tablet.rig.bus.address)
    try running.wait(for: "hold 1")
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds(["1 \(Self.listed)"]))
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    running.process.send(signal)
    #expect(try running.process.exitCode() == 0)
    try tablet.client.wait(for: "InterfaceOrientationHolds", toBe: .holds([]))
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try wait(for: "the call") { calls.isCalled }
    #expect(running.process.lines.count == 1)
    #expect(running.process.errors.isEmpty)
  }

  @Test("each holds again after the daemon was restarted", arguments: Example.holds)
  func restart(example: Example) throws {
    let bus = try PrivateBus()
    let first = try Tablet(bus: bus)
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "hold 1")
    #expect(try first.rig.end() == 0)
    let second = try Tablet(bus: bus)
    try wait(for: "the second hold") { running.process.lines.count == 2 }
    #expect(try second.client.property("InterfaceOrientationHolds") == .holds(["1 \(Self.listed)"]))
    #expect(running.process.errors.isEmpty)
  }

  @Test("each starts a daemon that does not run, and holds once", arguments: Example.holds)
  func activation(example: Example) throws {
    let daemon = "\(Daemon.path) --sensor simulated --config /dev/null"
    let bus = try PrivateBus(activating: [Daemon.busName: daemon])
    let running = try RunningExample(example, at: bus.address)
    try running.wait(for: "hold 1")
    let client = try Client(on: bus)
    #expect(try client.property("InterfaceOrientationHolds") == .holds(["1 \(Self.listed)"]))
    running.process.send(SIGTERM)
    #expect(try running.process.exitCode() == 0)
    #expect(running.process.errors.isEmpty)
  }

  @Test("each prints why it may not hold", arguments: Example.holds)
  func refused(example: Example) throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .deny)
    let tablet = try Tablet(bus: bus)
    let running = try RunningExample(example, at: bus.address)
    try wait(for: "the reason") { running.process.errors.hasSuffix("\n") }
    #expect(running.process.errors.hasPrefix("not held: "))
    #expect(!running.process.errors.contains("AccessDenied"))
    #expect(try polkit.questions.map(\.action) == ["org.orientationd1.hold-orientation"])
    #expect(tablet.rig.daemon.isRunning)
    running.process.send(SIGTERM)
    #expect(try running.process.exitCode() == 0)
    #expect(running.process.output.isEmpty)
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
  static let examples = Example.orientations.filter { $0 != .c }

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
