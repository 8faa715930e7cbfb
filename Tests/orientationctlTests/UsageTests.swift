// SPDX-License-Identifier: Apache-2.0

import Foundation
import SensorSetup
import TestSupport
import Testing

@testable import OrientationctlKit

private let commands = [
  "status", "monitor", "lock", "unlock", "toggle", "rotate", "supported", "sensors", "calibrate", "record",
  "classify",
]

/// What the program says of a command, for programs.
private struct CommandHelp: Decodable {
  struct Argument: Decodable { let names: [Name]? }
  struct Name: Decodable { let kind, name: String }
  private struct Tool: Decodable { let command: CommandHelp }

  let commandName: String
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  /// The commands.
  static func all() throws -> [CommandHelp] {
    let output = try orientationctl("--experimental-dump-help").output
    return try JSONDecoder().decode(Tool.self, from: Data(output.utf8)).command.subcommands ?? []
  }

  /// Its options, but for those that every command has.
  var options: [String] {
    (arguments ?? []).flatMap { $0.names ?? [] }
      .filter { $0.kind == "long" && !["help", "version"].contains($0.name) }.map(\.name)
  }
}

@Suite("orientationctl's command line")
struct UsageTests {
  @Test("that is wrong is refused even if nobody reads the full pipe of the standard error")
  func fullPipe() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
    defer { for end in ends { close(end) } }
    while write(ends[1], "x", 1) == 1 {}
    // The program's writes wait, as those to a shell's pipe.
    try #require(fcntl(ends[1], F_SETFL, 0) == 0)
    let program = try ChildProcess("sh", ["-c", "exec orientationctl nonsense 2>&1"], output: ends[1])
    #expect(try program.exitCode() == 64)
  }

  @Test("that is wrong is shown whole, however long it is")
  func longMessage() throws {
    let word = String(repeating: "x", count: 20_000)
    let program = try ChildProcess("orientationctl", ["status", word])
    #expect(try program.exitCode() == 64)
    #expect(program.errors.contains(word) && program.errors.contains("Usage: orientationctl status"))
  }

  @Test(
    "that is wrong is refused with status 64, the reason and the usage, on the standard error alone",
    arguments: [
      (["classify"], "<trace.csv>"), (["classify", "--nonsense", "x"], "--nonsense"),
      (["nonsense"], "nonsense"),
      (["monitor", "--count", "0"], "--count takes a number of at least 1"),
      (["monitor", "--count", "many"], "many"),
      (["monitor", "--count", "-1"], "--count takes a number of at least 1, not -1."),
      (["monitor", "--seconds", "-1"], "--seconds takes a number above 0, not -1."),
      (["monitor", "--seconds", "-.5", "--count", "2"], "--seconds takes a number above 0, not -0.5."),
      (["monitor", "--seconds", "--json"], "--json"), (["monitor", "--seconds", "nan"], "--seconds"),
      (["monitor", "--waybar", "--json"], "leave out --json"),
      (["--json", "monitor", "--waybar"], "leave out --json"),
      (["monitor", "--device", "--waybar"], "leave out --json, --device"),
      (["monitor", "--waybar", "--screen"], "and --screen"),
      (["monitor", "--picture", "--json"], "--picture shows no lines: leave out --json"),
      (["monitor", "--picture", "--waybar"], "leave out --json, --waybar"),
      (["monitor", "--picture", "--screen"], "--screen and --count"),
      (["monitor", "--picture", "--count", "1"], "--screen and --count"),
      (["record"], "<file>"), (["record", "--seconds", "0", "x"], "--seconds"),
      (["calibrate", "--reset", "--lines"], "--reset asks nothing and reads nothing: it takes no --lines."),
      (["calibrate", "--reset", "--socket", "x"], "it takes no --socket."),
      (["record", "--seconds", "-1", "x"], "--seconds takes a number above 0, not -1."),
      (["lokc"], "There is no command 'lokc'. Did you mean 'lock'?"),
      (["--user", "lokc"], "There is no command 'lokc'. Did you mean 'lock'?"),
      (["help", "lokc"], "There is no command 'lokc'. Did you mean 'lock'?"),
      (["--user", "help", "lokc"], "There is no command 'lokc'. Did you mean 'lock'?"),
      (["help", "nonsense"], "There is no command 'nonsense'."),
      (["--user", "nonsense"], "nonsense"), (["--user", "classify", "x"], "--user"),
      (["--user", "--nonsense"], "--nonsense"),
      (["record", "--sensor", "ip:", "x"], "--sensor"),
      (["status", "extra"], "extra"), (["classify", "--user", "x"], "--user"),
      (["rotate"], "<name>"), (["rotate", "left"], "'landscapeLeft'"), (["rotate", "unknown"], "'device'"),
      (["rotate", "portrait", "device"], "device"), (["lock", "now"], "now"),
      (["toggle", "--count"], "--count"),
      (["supported", "faceUp"], "  - allButUpsideDown"), (["monitor", "--device", "--screen"], "--device"),
      (["hold"], "<name>"), (["hold", "landscape"], "<command>"), (["hold", "landscape", "--"], "<command>"),
      (["hold", "--", "true"], "<name>"), (["hold", "landscape", "true"], "'true'"),
      (["hold", "landscape", "mpv", "film.mkv"], "orientationctl hold landscape -- mpv ..."),
      (["hold", "--reason", "plays a film", "all", "mpv", "--fs"], "write -- before the command"),
      (["--user", "hold", "all", "--application=a", "mp\u{1b}v"], #"'mp\u{1b}v' is no orientation"#),
      (["hold", "landscpe"], "  - allButUpsideDown"), (["hold", "mpv", "film.mkv"], "'mpv'"),
      (["hold", "faceUp", "--", "true"], "  - allButUpsideDown"),
      (
        ["hold", "all", "--reason", "", "--", "true"],
        "--reason needs a text: write one of 1 to 255 bytes, or leave --reason out."
      ),
      (
        ["hold", "all", "--application", "", "--", "true"],
        "--application needs a text: write one of 1 to 255 bytes, or leave --application out."
      ),
      (
        ["hold", "all", "--reason", String(repeating: "é", count: 128), "--", "true"],
        "The text of --reason has 256 bytes: write one of at most 255."
      ),
      (
        ["hold", "all", "--application", String(repeating: "é", count: 128), "--", "true"],
        "The text of --application has 256 bytes: write one of at most 255."
      ),
      (["hold", "all", "--json", "--", "true"], "--json"),
      (["motion", "--every", "4"], "--every takes 5 to 10000 milliseconds, not 4."),
      (["motion", "--every", "-1"], "--every takes 5 to 10000 milliseconds, not -1."),
      (["motion", "--seconds", "0"], "--seconds takes a number above 0, not 0."),
      (["motion", "--plot", "trace.csv"], "ends in .svg"), (["motion", "compass"], "accelerometer"),
      (["motion", "--user"], "--user"),
      (["calibrate", "--json"], "--json"), (["calibrate", "extra"], "extra"),
    ])
  func wrong(_ arguments: [String], _ reason: String) throws {
    let program = try ChildProcess("orientationctl", arguments)
    #expect(try program.exitCode() == 64)
    #expect(program.output.isEmpty)
    #expect(program.errors.contains(reason))
    #expect(program.errors.contains("Usage: orientationctl"))
  }

  @Test(
    "that has a misspelt command gets a suggestion",
    arguments: [
      ("lokc", ["lock"]), ("lok", ["lock"]), ("Lock", ["lock"]), ("unlok", ["unlock"]),
      ("stauts", ["status"]),
      ("clasify", ["classify"]),
      ("calibrat", ["calibrate"]), ("mon", ["monitor"]), ("tooggle", ["toggle"]),
      ("nlock", ["lock", "unlock"]), ("lock", []), ("now", []), ("nonsense", []),
      ("", []), ("l", []),
      (String(repeating: "lock", count: 1000), []),
    ])
  func suggestions(word: String, names: [String]) {
    #expect(CommandWords.suggestions(for: word, among: commands) == names)
  }

  @Test(
    "may have --user and --json before the command",
    arguments: [
      ("--user status", "status --user"), ("--user --json rotate device", "rotate --user --json device"),
      ("--json status --user", "status --json --user"), ("status --user", "status --user"),
      ("--user --help", "--help"), ("--user help status", "help status"), ("--user nonsense", "nonsense"),
      ("--user", ""), ("", ""),
      ("--config x --user status", "--config x --user status"),
    ])
  func optionsFirst(words: String, arguments: String) {
    #expect(
      CommandWords(words.split(separator: " ").map(String.init), commands: commands).arguments
        == arguments.split(separator: " ").map(String.init))
  }

  @Test("with --user before the command uses the session bus, and the help says that this is possible")
  func userFirst() throws {
    let program = try orientationctl(
      "--user", "status", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("cannot connect to the session bus"))
    #expect(
      try orientationctl("--help").output.contains("--user and --json can be written before the command"))
  }

  @Test("has a help text for each command, with each option in it")
  func help() throws {
    let options = [
      "status": ["--user", "--json"],
      "monitor": [
        "--user", "--json", "--picture", "--device", "--screen", "--count <n>", "--seconds <n>",
      ],
      "lock": ["--user", "--json"], "unlock": ["--user", "--json"], "toggle": ["--user", "--json"],
      "rotate": ["--user", "--json", "<name>", "landscapeRight", "device"],
      "hold": ["--user", "--application <id>", "--reason <text>", "<name>", "landscape", "-- <command>"],
      "supported": ["--user", "--json", "<name>", "landscape", "allButUpsideDown"],
      "record": ["--seconds <n>", "--sensor <sensor>", "--force", "--config <file>", "<file>"],
      "sensors": ["--user", "--json", "--config <file>"],
      "calibrate": [
        "--user", "--config <file>", "--lines", "--reset", "--socket <path>", "--hwdb", "--sensor <name>",
        "--write", "--apply", "--hwdb-file <file>",
      ],
      "motion": [
        "--json", "--every <milliseconds>", "--seconds <n>", "--plot <file.svg>", "--socket <path>",
        "<sensor>", "gyroscope",
      ],
      "classify": ["--every", "--config <file>", "<trace.csv>"],
    ]
    let overview = try orientationctl("--help").output
    for (command, words) in options {
      #expect(overview.contains(command))
      let help = try orientationctl(command, "--help")
      #expect(try help.exitCode() == 0)
      for word in words { #expect(help.output.contains(word)) }
    }
  }

  @Test("is in SYNOPSIS of its manual page, with each option")
  func synopsis() throws {
    let page = try projectFile("data/man/orientationctl.1").components(separatedBy: "\n.Sh ")
    let synopsis = try #require(page.first { $0.hasPrefix("SYNOPSIS") })
    var documented: [String: [String]] = [:]
    for entry in synopsis.components(separatedBy: "\n.Nm\n") where entry.hasPrefix(".Cm ") {
      for name in entry.dropFirst(4).prefix(while: { $0 != "\n" }).components(separatedBy: " | ") {
        documented[name] = entry.matches(of: /Fl Fl ([a-z-]+)/).map { String($0.1) }
      }
    }
    #expect(documented["lock"] == ["user", "json"])
    for command in try CommandHelp.all() {
      #expect(
        documented.removeValue(forKey: command.commandName) == command.options, "\(command.commandName)")
    }
    #expect(documented.isEmpty)
  }

  @Test("has each command in DESCRIPTION of its manual page, and in a section of its own")
  func documents() throws {
    let page = try projectFile("data/man/orientationctl.1")
    for lines in [/(?m)^\.Pq Cm .*$/, /(?m)^\.Ss orientationctl .*$/] {
      let named = Set(page.matches(of: lines).flatMap { $0.0.split { !$0.isLetter } })
      for command in try CommandHelp.all() where command.commandName != "help" {
        #expect(named.contains(command.commandName[...]), "\(command.commandName) among \(named.sorted())")
      }
    }
  }

  @Test("has the same help behind the word help, also of that word and of no command")
  func helpCommand() throws {
    #expect(try orientationctl("help", "lock").output == orientationctl("lock", "--help").output)
    #expect(try orientationctl("help").output == orientationctl("--help").output)
    let help = try orientationctl("help", "help")
    #expect(try help.exitCode() == 0)
    #expect(help.output.contains("USAGE: orientationctl help "))
  }

  @Test("asks for the version")
  func version() throws {
    let program = try orientationctl("--version")
    #expect(try program.exitCode() == 0)
    #expect(program.output == "orientationctl \(orientationdVersion)\n")
  }

  @Test(
    "fails where what it was asked for cannot be written",
    arguments: ["--version", "--help", "help lock", "--generate-completion-script bash"])
  func fullDisk(_ words: String) throws {
    let program = try ChildProcess("sh", ["-c", "orientationctl \(words) >/dev/full"])
    #expect(try program.exitCode() == 1)
    #expect(program.errors == "Error: the output cannot be written: No space left on device\n")
  }
}
