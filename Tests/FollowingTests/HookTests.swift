// SPDX-License-Identifier: Apache-2.0

import CLinux
import DaemonClient
import Foundation
import Orientation
import Systemd
import TestSupport
import Testing

@testable import Following

/// The event loop of a test, with what hooks have said in it, and a folder.
///
/// Its end waits for the commands: the library for tests does not go on while this process has a child that has ended and nobody has
/// waited for.
private final class HookLoop {
  let loop: EventLoop
  let folder: TemporaryFolder
  private let said = Said()
  private var hooks: [Hook] = []

  var notes: [String] { said.notes }

  private final class Said {
    var notes: [String] = []
  }

  init() throws {
    loop = try EventLoop()
    folder = try TemporaryFolder()
  }

  deinit {
    // Slow commands end without it.
    try? FileManager.default.removeItem(atPath: folder.path)
    do {
      try run(until: "the end of all commands") { !hooks.contains { $0.process != nil } }
    } catch {
      Issue.record("\(error)")
    }
  }

  func hook(_ command: String, patience: Double = 60) throws -> Hook {
    let hook = try Hook("--on-test", try HookCommand(command), loop: loop, patience: patience) { [said] in
      said.notes.append($0)
    }
    return keep(hook)
  }

  @discardableResult
  func keep(_ hook: Hook) -> Hook {
    hooks.append(hook)
    return hook
  }

  func run(until what: String, _ holds: () throws -> Bool) throws {
    try wait(for: what, pause: { try loop.runOnce(timeoutSeconds: 0.02) }, until: holds)
  }
}

@Suite("A command that runs on a change")
struct HookTests {
  private let rig: HookLoop
  private var folder: TemporaryFolder { rig.folder }

  init() throws { rig = try HookLoop() }

  private var lines: [String] { folder.read("lines").split(separator: "\n").map(String.init) }

  /// A command that writes the value into a file, and ends when a file with its name is there, or with the test.
  private func slowHook(patience: Double = 60) throws -> Hook {
    let script = try folder.write(
      "echo $VALUE >>\(folder.path)/lines\nwhile [ -e $0 ] && [ ! -e \(folder.path)/end-$VALUE ]; do sleep 0.01; done",
      to: "script")
    return try rig.hook("sh \(script)", patience: patience)
  }

  private func take(_ value: String, _ hook: Hook) { hook.take(value, ["VALUE": value]) }

  private func end(_ value: String) throws { try folder.write("", to: "end-\(value)") }

  private func see(_ expected: [String]) throws {
    try rig.run(until: "\(expected)") { lines == expected }
  }

  @Test("runs at the first value, and at each other one, with its environment")
  func changes() throws {
    let hook = try rig.hook(#"sh -c "echo $VALUE $HOOK_TEST >>\#(folder.path)/lines""#)
    for value in ["a", "a", "b", "b", "a"] {
      hook.take(value, ["VALUE": value, "HOOK_TEST": "1"])
      try rig.run(until: value) { lines.last == "\(value) 1" }
      try rig.run(until: "its end, before the next value") { hook.process == nil }
    }
    #expect(lines == ["a 1", "b 1", "a 1"])
    #expect(rig.notes == [])
  }

  @Test("runs once at a time, and of the values meanwhile only with the newest")
  func newest() throws {
    let hook = try slowHook()
    for value in ["a", "b", "c", "d"] { take(value, hook) }
    try see(["a"])
    try end("a")
    try see(["a", "d"])
    try end("d")
    take("e", hook)
    try see(["a", "d", "e"])
    try end("e")
  }

  @Test("does not run again if the value is at last what it was started with")
  func thereAndBack() throws {
    let hook = try slowHook()
    for value in ["a", "b", "a"] { take(value, hook) }
    try see(["a"])
    try end("a")
    try rig.loop.runOnce(timeoutSeconds: 1)
    take("c", hook)
    try see(["a", "c"])
    try end("c")
  }

  @Test("does not block whoever reports a value, and says so if it runs for long")
  func long() throws {
    let hook = try slowHook(patience: 0)
    take("a", hook)
    try see(["a"])
    #expect(rig.notes == [])
    take("b", hook)
    try rig.run(until: "a message") { !rig.notes.isEmpty }
    #expect(
      rig.notes == [
        "the command of --on-test still runs after 0 s; what has changed waits for its end"
      ])
    try end("a")
    try see(["a", "b"])
    try end("b")
  }

  @Test("goes on after a command that fails, is killed or is not there, with a message each time")
  func failures() throws {
    let failing = try rig.hook("sh -c 'exit 3'")
    failing.take("a", [:])
    try rig.run(until: "a message") { rig.notes == ["the command of --on-test has ended with exit status 3"] }
    failing.take("b", [:])
    try rig.run(until: "another") { rig.notes.count == 2 }
    let killed = try rig.hook("sh -c 'kill -9 $$'")
    killed.take("a", [:])
    try rig.run(until: "a third") { rig.notes.count == 3 }
    #expect(rig.notes.last == "the command of --on-test was killed by signal 9")
    let missing = try rig.hook("/nonexistent/program x")
    for value in ["a", "b"] { missing.take(value, [:]) }
    #expect(
      rig.notes.dropFirst(3)
        == Array(
          repeating: "cannot run /nonexistent/program for --on-test: No such file or directory", count: 2)[
          ...]
    )
  }

  @Test("leaves no process behind that has ended")
  func reaped() throws {
    let hook = try rig.hook(#"sh -c "echo $$ >>\#(folder.path)/lines""#)
    for number in 1...5 {
      hook.take("\(number)", [:])
      try rig.run(until: "line \(number)") { lines.count == number }
      try rig.run(until: "its end, before the next value") { hook.process == nil }
    }
    try rig.run(until: "the end of all of them") {
      lines.allSatisfy { !FileManager.default.fileExists(atPath: "/proc/\($0)") }
    }
  }

  @Test("has no descriptor but the three of every program, no input, and no signal blocked or ignored")
  func inheritance() throws {
    let open = CLinux.open("/dev/null", O_RDONLY)
    defer { close(open) }
    #expect(open > STDERR_FILENO)
    ignoreBrokenPipes()
    let interrupt = try rig.loop.onSignal(SIGUSR1) {}
    // Without another program: shells start those with other signals.
    let script = try folder.write(
      """
      exec >>\(folder.path)/lines
      number=0
      while [ $number -lt 256 ]; do
        [ ! -e /proc/$$/fd/$number ] || echo $number
        number=$((number + 1))
      done
      read -r word || echo no input
      while read -r name value; do
        case $name in SigBlk:|SigIgn:) echo $name $value;; esac
      done </proc/$$/status
      echo end
      """, to: "script")
    let hook = try rig.hook("sh \(script)")
    hook.take("a", [:])
    try rig.run(until: "the end") { lines.last == "end" }
    // The shell has its script open as the fourth one, or as the eleventh; glibc keeps 32 and 33 for itself.
    #expect(Set(lines).isSuperset(of: ["0", "1", "2", "no input", "SigBlk: 0000000000000000"]))
    #expect(lines.count { Int($0) != nil } == 4, "\(lines)")
    // Others may be ignored in whoever runs the tests.
    let ignored = lines.first { $0.hasPrefix("SigIgn: ") }.flatMap { UInt64($0.dropFirst(8), radix: 16) }
    #expect(ignored.map { $0 & (1 << (SIGPIPE - 1) | 1 << (SIGCHLD - 1)) } == 0, "\(lines)")
    _ = consume interrupt
  }
}

@Suite("When the commands on changes run")
struct HooksTests {
  private let rig: HookLoop
  private let hooks: Hooks
  private var folder: TemporaryFolder { rig.folder }

  init() throws {
    rig = try HookLoop()
    let folder = rig.folder
    let line = "$ORIENTATION_TABLET_MODE $ORIENTATION_TRANSFORM $ORIENTATION_INTERFACE"
    var request = FollowRequest()
    request.onTabletMode = try HookCommand(#"sh -c "echo \#(line) >>\#(folder.path)/modes""#)
    request.onTransform = try HookCommand(#"sh -c "echo \#(line) >>\#(folder.path)/turns""#)
    hooks = try Hooks(request, loop: rig.loop)
    for hook in hooks.all { rig.keep(hook) }
  }

  private func screen(_ mode: String, _ transform: String, _ interface: InterfaceOrientation)
    -> ScreenSnapshot
  {
    var screen = ScreenSnapshot()
    (screen.tabletMode, screen.transform, screen.orientation) = (mode, transform, interface)
    return screen
  }

  private func see(_ file: String, _ expected: String...) throws {
    let text = expected.map { "\($0)\n" }.joined()
    try rig.run(until: "\(expected) of \(file)") { folder.read(file) == text }
    try rig.run(until: "the end of all commands") { !hooks.all.contains { $0.process != nil } }
  }

  @Test("one for the transform runs when the panel shows it, with the orientation that it shows")
  func transform() throws {
    hooks.take(screen("unknown", "90", .landscapeLeft))
    hooks.take(shown: .quarter)
    try see("turns", "unknown 90 landscapeLeft")
    hooks.take(screen("tablet", "180", .portraitUpsideDown))
    // The panel is not turned yet.
    hooks.take(shown: .quarter)
    try see("modes", "tablet 90 landscapeLeft")
    hooks.take(shown: .half)
    hooks.take(shown: .half)
    try see("turns", "unknown 90 landscapeLeft", "tablet 180 portraitUpsideDown")
  }

  @Test("one that had to wait finds what the screen has then")
  func waited() throws {
    hooks.take(screen("laptop", "normal", .portrait))
    hooks.take(screen("tablet", "90", .landscapeLeft))
    hooks.take(screen("unknown", "90", .landscapeLeft))
    hooks.take(shown: .quarter)
    try see("modes", "laptop unknown unknown", "tablet 90 landscapeLeft")
  }

  @Test("one for the tablet mode runs when that is known, and when it has changed")
  func tabletMode() throws {
    hooks.take(screen("unknown", "normal", .portrait))
    hooks.take(screen("of-the-future", "normal", .portrait))
    hooks.take(screen("laptop", "normal", .portrait))
    try see("modes", "laptop unknown unknown")
    hooks.take(screen("unknown", "normal", .portrait))
    hooks.take(screen("laptop", "90", .landscapeLeft))
    hooks.take(shown: .quarter)
    hooks.take(screen("tablet", "90", .landscapeLeft))
    try see("modes", "laptop unknown unknown", "tablet 90 landscapeLeft")
  }
}
