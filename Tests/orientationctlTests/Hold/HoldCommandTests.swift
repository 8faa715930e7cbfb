// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Foundation
import Glibc
import Orientation
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl hold")
struct HoldCommandTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
  }

  private func startDaemon(_ options: String...) throws -> ChildProcess {
    try bus.startDaemon(
      sensor: "replay:\(folder.write(recording([.portrait]), to: "replay.csv"))", options)
  }

  /// The state of the screen.
  private func screen() throws -> [String: Any] {
    try object(bus.orientationctl("supported", "--json").output)
  }

  private func orientation() throws -> String {
    try #require(try screen()["interface_orientation_name"] as? String)
  }

  private func holds() throws -> [[String: Any]] {
    try #require(try screen()["interface_orientation_holds"] as? [[String: Any]])
  }

  private func wait(forOrientation name: String) throws {
    try wait(for: name) { try orientation() == name }
  }

  private func wait(for what: String, until holds: () throws -> Bool) throws {
    try TestSupport.wait(for: what, until: holds)
  }

  /// Starts a command that waits with a hold until it is killed; it writes its process id.
  private func startWaiting(_ name: String, _ options: String...) throws -> ChildProcess {
    try bus.start(
      "orientationctl", ["hold", name] + options + ["--", "sh", "-c", "echo $$; exec sleep 100"])
  }

  /// The process id of a command of `startWaiting`.
  private func command(of program: ChildProcess) throws -> pid_t {
    try wait(for: "the command") { program.output.hasSuffix("\n") || !program.isRunning }
    return try #require(program.lines.first.flatMap { pid_t($0) }, "\(program.errors)")
  }

  // MARK: The hold

  @Test("is no orientation that the rotation lock keeps, and locking meanwhile does not say so")
  func locked() throws {
    let daemon = try startDaemon()
    let program = try bus.orientationctl("hold", "landscapeLeft", "--", "orientationctl", "lock")
    #expect(
      program.output == "rotation is locked; an app holds the interface in landscapeLeft (left edge up)\n")
    #expect(try orientation() == "portrait")
    withExtendedLifetime(daemon) {}
  }

  @Test("moves the interface while the command runs, and back before it exits")
  func moves() throws {
    let daemon = try startDaemon()
    let program = try bus.orientationctl("hold", "landscape", "--", "orientationctl", "supported", "--json")
    #expect(try program.exitCode() == 0, "\(program.errors)")
    let meanwhile = try object(program.output)
    #expect(meanwhile["interface_orientation_name"] as? String == "landscapeLeft")
    #expect(
      meanwhile["effective_interface_orientations"] as? [String] == ["landscapeRight", "landscapeLeft"])
    #expect((meanwhile["supported_interface_orientations"] as? [String])?.count == 4)
    #expect(try orientation() == "portrait")
    #expect(try holds().isEmpty)
    withExtendedLifetime(daemon) {}
  }

  @Test("gives other users the command's name, or the texts given, and nothing else of the command line")
  func texts() throws {
    let daemon = try startDaemon()
    func shown(_ arguments: String...) throws -> (application: String?, reason: String?) {
      let show = "orientationctl supported --json"
      let program = try bus.start(
        "orientationctl",
        ["hold", "all"] + arguments + ["--", "/bin/sh", "-c", show, "https://me:secret@example.org/film.mkv"])
      #expect(try program.exitCode() == 0, "\(program.errors)")
      #expect(!program.output.contains("secret") && !program.output.contains("/"))
      let holds = try #require(
        try object(program.output)["interface_orientation_holds"] as? [[String: Any]])
      return (holds.first?["application_id"] as? String, holds.first?["reason"] as? String)
    }
    let own = try shown()
    #expect(own.application == "sh")
    #expect(own.reason == "sh")
    let given = try shown("--application", "org.example.Player", "--reason", "plays a film")
    #expect(given.application == "org.example.Player")
    #expect(given.reason == "plays a film")
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "names a command without its folder, printable, and cut between characters to what the daemon accepts",
    arguments: [
      ("mpv", "mpv"), ("/home/anna/Private/mpv", "mpv"), ("./mpv", "mpv"), ("anna/", "anna"),
      ("/home/\u{301}mpv", #"\u{301}mpv"#), ("a\nb", #"a\u{a}b"#), ("", "orientationctl"),
      ("/", "orientationctl"),
      ("x" + String(repeating: "ü", count: 200), "x" + String(repeating: "ü", count: 127)),
    ])
  func name(of command: String, is name: String) {
    let request = HoldRequest(
      orientations: .all, command: [command, "secret"], application: nil, reason: nil)
    #expect(request.application == name)
    #expect(request.reason == name)
    #expect(HoldRequest.textLengths.contains(request.reason.utf8.count))
  }

  @Test("ends with orientationctl, however that ends", arguments: [SIGTERM, SIGKILL])
  func killed(signal: CInt) throws {
    let daemon = try startDaemon()
    let program = try startWaiting("landscape")
    let command = try command(of: program)
    #expect(try orientation() == "landscapeLeft")
    program.send(signal)
    #expect(try program.exitCode() == (signal == SIGTERM ? 128 + SIGTERM : -SIGKILL))
    try wait(forOrientation: "portrait")
    #expect(try holds().isEmpty)
    kill(command, SIGKILL)
    withExtendedLifetime(daemon) {}
  }

  @Test("of two commands, the newer one's counts, and then the older one's again")
  func two() throws {
    let daemon = try startDaemon()
    let older = try startWaiting("landscapeRight")
    let first = try command(of: older)
    let newer = try startWaiting("portraitUpsideDown")
    let second = try command(of: newer)
    #expect(try orientation() == "portraitUpsideDown")
    #expect(try holds().count == 2)
    kill(second, SIGKILL)
    #expect(try newer.exitCode() == 128 + SIGKILL)
    #expect(try orientation() == "landscapeRight")
    kill(first, SIGKILL)
    #expect(try older.exitCode() == 128 + SIGKILL)
    #expect(try orientation() == "portrait")
    withExtendedLifetime(daemon) {}
  }

  // MARK: The command

  @Test("passes the exit status on, and 128 and the signal's number for a command that was killed")
  func status() throws {
    let daemon = try startDaemon()
    for (script, status) in [("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -9 $$", 137)] {
      let program = try bus.orientationctl("hold", "landscape", "--", "sh", "-c", script)
      #expect(try program.exitCode() == CInt(status))
      #expect(program.complaints.isEmpty)
    }
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "is killed by SIGINT or SIGQUIT if that has killed the command, after the hold has ended",
    arguments: [SIGINT, SIGQUIT])
  func killedWithCommand(signal: CInt) throws {
    let daemon = try startDaemon()
    let script = """
      cd \(folder.path); ulimit -c unlimited
      exec orientationctl hold landscape -- sh -c 'ulimit -c 0; kill -\(signal) $$'
      """
    let program = try bus.start("sh", ["-c", script])
    #expect(try program.exitCode() == -signal)
    #expect(program.complaints.isEmpty)
    // Where the kernel writes cores to this folder.
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/core"))
    #expect(try orientation() == "portrait")
    withExtendedLifetime(daemon) {}
  }

  @Test("gives the command its words as they are, and its own input and output")
  func words() throws {
    let daemon = try startDaemon()
    let script = #"""
      name=$(printf '\377 -- --help')
      echo line | orientationctl hold landscape -- sh -c 'cat; printf "%s|" "$@" >&2' sh -- "$name" -h '' 2>&1 | grep -v "nothing turns" | od -An -c
      """#
    let program = try bus.start("sh", ["-c", script])
    #expect(try program.exitCode() == 0)
    let characters = program.output.split { $0.isWhitespace }.joined()
    #expect(characters == #"line\n--|377----help|-h||\n"#)
    withExtendedLifetime(daemon) {}
  }

  @Test("exits with 127 for a command that is not found, and with 126 for one that cannot be run")
  func notFound() throws {
    let daemon = try startDaemon()
    for (command, status, reason) in [
      ("no-such\u{1b}command", 127, #"cannot run no-such\u{1b}command: not found in PATH"#),
      ("./no-such", 127, "cannot run ./no-such: No such file or directory"),
      ("/", 126, "cannot run /: Permission denied"), ("", 127, "cannot run '': not found in PATH"),
    ] {
      let program = try bus.orientationctl("hold", "landscape", "--", command)
      #expect(try program.exitCode() == CInt(status))
      #expect(program.complaints == "Error: \(reason)\n")
      #expect(try holds().isEmpty)
    }
    #expect(try orientation() == "portrait")
    withExtendedLifetime(daemon) {}
  }

  @Test("names the missing interpreter's error, and not PATH, for a script that is in PATH")
  func noInterpreter() throws {
    let daemon = try startDaemon()
    try folder.install(script: "#!/no/such/interpreter\n", as: "a-script")
    let program = try bus.start(
      "sh", ["-c", "PATH=$PATH:\(folder.path); orientationctl hold landscape -- a-script"])
    #expect(try program.exitCode() == 127)
    #expect(program.complaints == "Error: cannot run a-script: No such file or directory\n")
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "passes signals on to the command, and waits for its end, also if the command goes on",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func signals(_ signal: CInt) throws {
    let daemon = try startDaemon()
    let script =
      "trap 'echo caught' \(signal); echo ready; while ! test -e \(folder.path)/end; do sleep 0.05; done"
    // Without a terminal that could send the signal itself.
    let program = try bus.start(
      "setsid", ["orientationctl", "hold", "landscape", "--", "sh", "-c", script])
    try wait(for: "the command") { program.lines == ["ready"] }
    program.send(signal)
    try wait(for: "the signal") { program.lines == ["ready", "caught"] }
    #expect(try orientation() == "landscapeLeft")
    try folder.write("", to: "end")
    #expect(try program.exitCode() == 0)
    withExtendedLifetime(daemon) {}
  }

  @Test("leaves Ctrl-C to the terminal, which sends it to the command once")
  func interrupted() throws {
    let daemon = try startDaemon()
    // Python, because a shell runs its trap once for two signals that come while it waits. Without its buffers: they refuse a
    // handler that writes while print does.
    let script = try folder.write(
      """
      import os, signal, time
      signal.signal(signal.SIGINT, lambda number, frame: os.write(1, b"caught\\n"))
      os.write(1, b"ready\\n")
      while not os.path.exists("\(folder.path)/end"): time.sleep(0.05)

      """, to: "command")
    let keys = "\(folder.path)/keys"
    mkfifo(keys, 0o600)
    let input = open(keys, O_RDWR | O_CLOEXEC)
    defer { close(input) }
    let program = try ChildProcess(
      "script",
      [
        "--quiet", "--return", "--command",
        "exec orientationctl hold landscape -- /usr/bin/python3 \(script)", "/dev/null",
      ],
      environment: bus.environment, input: .path(keys))
    try wait(for: "the command") { program.output.contains("ready") }
    _ = write(input, "\u{3}", 1)
    try wait(for: "the signal") { program.output.contains("caught") }
    usleep(200_000)
    try folder.write("", to: "end")
    let code = try program.exitCode()
    #expect(code == 0, "\(program.output)")
    #expect(program.output.ranges(of: "caught").count == 1)
    withExtendedLifetime(daemon) {}
  }

  @Test("ends a loop of a shell around it on Ctrl-C")
  func interruptedLoop() throws {
    let daemon = try startDaemon()
    let loop = try folder.write(
      """
      for count in 1 2 3; do
        orientationctl hold landscape -- sh -c 'echo ready; exec sleep 100'
      done
      echo after

      """, to: "loop")
    let keys = "\(folder.path)/keys"
    mkfifo(keys, 0o600)
    let input = open(keys, O_RDWR | O_CLOEXEC)
    defer { close(input) }
    let program = try ChildProcess(
      "script", ["--quiet", "--return", "--command", "exec bash \(loop)", "/dev/null"],
      environment: bus.environment, input: .path(keys))
    try wait(for: "the command") { program.output.contains("ready") }
    _ = write(input, "\u{3}", 1)
    try wait(for: "the end, or the next turn of the loop") {
      !program.isRunning || program.output.ranges(of: "ready").count > 1
    }
    #expect(!program.isRunning)
    #expect(try program.isRunning || program.exitCode() == 128 + SIGINT)
    #expect(program.output.ranges(of: "ready").count == 1)
    #expect(!program.output.contains("after"))
    #expect(try orientation() == "portrait")
    withExtendedLifetime(daemon) {}
  }

  // MARK: The daemon

  @Test("is taken again from a daemon that was restarted")
  func restart() throws {
    let first = try startDaemon()
    let program = try startWaiting("landscape")
    let command = try command(of: program)
    #expect(try orientation() == "landscapeLeft")
    let second = try restarted(first)
    try wait(forOrientation: "landscapeLeft")
    #expect(try holds().count == 1)
    kill(command, SIGKILL)
    #expect(try program.exitCode() == 128 + SIGKILL)
    #expect(try holds().isEmpty)
    #expect(program.complaints.isEmpty)
    withExtendedLifetime(second) {}
  }

  private func restarted(_ daemon: ChildProcess) throws -> ChildProcess {
    daemon.send(SIGKILL)
    try daemon.exitCode()
    return try startDaemon()
  }

  @Test("that waits, as none of its orientations is supported, is told of, and counts when that changes")
  func waits() throws {
    let daemon = try startDaemon()
    _ = try bus.orientationctl("supported", "portrait")
    let program = try startWaiting("landscape")
    let command = try command(of: program)
    try wait(for: "the message") { program.errors.hasSuffix("\n") }
    #expect(program.errors.hasPrefix("orientationctl: the hold waits until this changes: "))
    #expect(program.errors.contains("but only in portrait (top edge up); to change that:\n\n"))
    #expect(program.errors.contains("\n    orientationctl supported portrait landscapeRight landscapeLeft\n"))
    #expect(try holds().map { $0["waits"] as? Bool } == [true])
    _ = try bus.orientationctl("supported", "all")
    try wait(forOrientation: "landscapeLeft")
    #expect(try holds().map { $0["waits"] as? Bool } == [false])
    kill(command, SIGTERM)
    #expect(try program.exitCode() == 128 + SIGTERM)
    #expect(program.errors.components(separatedBy: "orientationctl: ").count == 2)
    withExtendedLifetime(daemon) {}
  }

  @Test("that a restarted daemon refuses is reported once, and the command goes on")
  func restartRefused() throws {
    let polkit = try MockPolkit(on: bus, .allow)
    var daemon = try startDaemon()
    let program = try startWaiting("landscape")
    let command = try command(of: program)
    try polkit.behave(.deny)
    daemon = try restarted(daemon)
    try wait(for: "the message") { program.complaints.hasSuffix("\n") }
    daemon = try restarted(daemon)
    try wait(for: "the question") {
      try polkit.questions.count { $0.action == "org.orientationd1.hold-orientation" } == 3
    }
    #expect(try holds().isEmpty)
    kill(command, SIGTERM)
    #expect(try program.exitCode() == 128 + SIGTERM)
    #expect(program.complaints.hasPrefix("orientationctl: the interface is no longer held"))
    #expect(program.errors.contains("polkit does not allow org.orientationd1.hold-orientation"))
    #expect(program.complaints.count { $0 == "\n" } == 1)
    withExtendedLifetime(daemon) {}
  }

  @Test("goes on with the command if the bus ends")
  func busEnds() throws {
    let daemon = try startDaemon()
    let program = try startWaiting("landscape")
    let command = try command(of: program)
    try bus.end()
    try wait(for: "the message") { program.errors.contains("the connection to the bus has ended") }
    #expect(program.isRunning)
    kill(command, SIGTERM)
    #expect(try program.exitCode() == 128 + SIGTERM)
    withExtendedLifetime(daemon) {}
  }

  // MARK: Refusals

  /// Runs a command that must not be run; returns why.
  private func refused(_ name: String) throws -> String {
    let program = try bus.orientationctl("hold", name, "--", "echo", "run")
    #expect(try program.exitCode() == 1)
    #expect(program.output.isEmpty)
    return program.errors
  }

  @Test("without permission is refused, without the advice to run the command as root")
  func denied() throws {
    let daemon = try startDaemon()
    let polkit = try MockPolkit(on: bus, .deny)
    let reason = try refused("landscape")
    #expect(reason.contains("not authorized: polkit does not allow org.orientationd1.hold-orientation"))
    #expect(reason.contains("see AUTHORIZATION in orientationd(8)"))
    #expect(!reason.contains("sudo"))
    try polkit.behave(.challenge)
    #expect(try refused("landscape").contains("authentication is required"))
    // It gives the program a terminal, and writes what the program prints.
    let interactive = try bus.start(
      "script", ["--quiet", "--return", "--command", "orientationctl hold landscape -- true", "/dev/null"])
    #expect(try interactive.exitCode() == 1)
    #expect(try polkit.questions.map { $0.flags } == ["0", "0", "1"])
    withExtendedLifetime(daemon) {}
  }

  @Test("that is one too many is refused with the limit, and who holds")
  func limit() throws {
    let daemon = try startDaemon()
    let programs = try (0..<32).map { _ in try startWaiting("landscape") }
    try wait(for: "32 holds") { try holds().count == 32 }
    let reason = try refused("landscape")
    #expect(reason.contains("have 32 holds already"))
    #expect(reason.contains("to see who holds the interface:\n\n    orientationctl status\n"))
    for program in programs { program.send(SIGTERM) }
    for program in programs { try program.exitCode() }
    withExtendedLifetime(daemon) {}
  }

  @Test("without a daemon says so, and does not run the command")
  func noDaemon() throws {
    #expect(try refused("landscape").contains("orientationd does not run on the system bus"))
  }

  // MARK: Others

  @Test("status shows who holds, and who waits")
  func shown() throws {
    let daemon = try startDaemon()
    let program = try startWaiting("landscapeLeft", "--application", "org.example", "--reason", "plays")
    let command = try command(of: program)
    #expect(
      try bus.orientationctl("status").output.contains(
        "\nHeld by        org.example: landscapeLeft (left edge up) (plays)\n"))
    let hold = try #require(try holds().first)
    #expect(hold["hold"] as? Int == 1)
    #expect(hold["application_id"] as? String == "org.example")
    #expect(hold["orientations"] as? [String] == ["landscapeLeft"])
    #expect(hold["reason"] as? String == "plays")
    #expect(hold["waits"] as? Bool == false)
    #expect((hold["owner"] as? String)?.hasPrefix(":") == true)
    #expect(try #require(hold["since_usec"] as? UInt64) > 0)
    _ = try bus.orientationctl("supported", "portrait")
    #expect(
      try bus.orientationctl("status").output.contains(
        "Held by        org.example: waiting for landscapeLeft (left edge up) (plays)\n"))
    #expect(try holds().first?["waits"] as? Bool == true)
    kill(command, SIGTERM)
    #expect(try program.exitCode() == 128 + SIGTERM)
    withExtendedLifetime(daemon) {}
  }

  @Test("is what rotate names if it is in the way")
  func inTheWay() throws {
    let daemon = try startDaemon()
    let program = try startWaiting("landscape", "--application", "org.example.Player", "--reason", "plays")
    let command = try command(of: program)
    for goal in ["portrait", "device"] {
      let rotation = try bus.orientationctl("rotate", goal)
      #expect(try rotation.exitCode() == 1)
      #expect(
        rotation.errors.contains(
          "the interface may not be in portrait (top edge up) while org.example.Player holds it to landscapeRight (right edge up), landscapeLeft (left edge up) (hold 1: plays)"
        ))
    }
    kill(command, SIGTERM)
    #expect(try program.exitCode() == 128 + SIGTERM)
    withExtendedLifetime(daemon) {}
  }
}
