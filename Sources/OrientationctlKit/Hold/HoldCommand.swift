// SPDX-License-Identifier: Apache-2.0

// This folder: a command that runs with a hold of the interface. HoldSession has the event loop: the hold, which DaemonHold takes
// from the daemon, and again from one that was restarted; and the command, which is a ChildCommand.

import ArgumentParser
import DaemonClient
import Orientation
import Systemd

/// `orientationctl hold`: runs a command, and holds the interface to some orientations meanwhile.
struct HoldCommand: ParsableCommand {
  static let name = "hold"
  /// The options whose value is the next word.
  static let valueOptions = ["--application", "--reason"]
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Hold the interface to some orientations while a command runs.",
    usage: """
      orientationctl hold [--user] [--application <id>] [--reason <text>] <name> ... -- <command> [<argument> ...]
      """,
    discussion: """
      The screen keeps to these orientations while a command runs: "orientationctl hold landscape -- mpv film.mkv". So \
      it does whether or not rotation is locked; afterwards it has the one that it \
      would have without the hold. Of several holds, the newest one counts.

      \(InterfaceOrientation.help) "landscape", "all" and "allButUpsideDown" stand for several, as in "orientationctl \
      supported".

      Every user of the machine can read who holds and why: the command's name, unless --application and --reason give \
      other texts.

      The command has the same standard input, output and error. SIGTERM and SIGHUP are passed on to it. SIGINT and \
      SIGQUIT are passed on unless orientationctl is in the foreground of a terminal, which sends them to both on Ctrl-C \
      and Ctrl-\\. If the daemon is restarted meanwhile, the hold is taken again; if that fails, a message says why, and \
      the command goes on. If none of the orientations is supported then, the hold is taken when that changes.

      The exit status is that of the command, or 128 and the number of the signal that killed it. If SIGINT or SIGQUIT has \
      killed the command, the same signal ends orientationctl, so that Ctrl-C also ends a script around it. The exit \
      status is 127 if the command is not found, 126 if it cannot be run, and 1 if the interface cannot be held; then \
      the command is not run.

      \(DaemonCall.Authorization.help)
      """)

  @OptionGroup var bus: BusOptions

  @Option(
    help: ArgumentHelp("Name this application, instead of the command's name.", valueName: "id"))
  var application: String?

  @Option(help: ArgumentHelp("Give this reason, instead of the command's name.", valueName: "text"))
  var reason: String?

  @Argument(help: ArgumentHelp("The orientations to hold the interface to.", valueName: "name"))
  var names: [OrientationSetName]

  func validate() throws {
    let words = HeldWords()
    guard let command = words.command.first else {
      throw ValidationError("Missing expected argument '-- <command>': the command to run.")
    }
    guard words.isSeparated else {
      let own = words.own.joined(separator: " ")
      throw ValidationError(
        "'\(command.printable)' is no orientation; write -- before the command: orientationctl \(own.printable) "
          + "-- \(command.printable) ...")
    }
    if let application { try Self.check(application, of: "--application") }
    if let reason { try Self.check(reason, of: "--reason") }
  }

  @inline(never)
  private static func check(_ text: String, of option: String) throws(ValidationError) {
    let (length, limit) = (text.utf8.count, HoldRequest.textLengths.upperBound)
    guard length > 0 else {
      throw ValidationError(
        "\(option) needs a text: write one of 1 to \(limit) bytes, or leave \(option) out.")
    }
    guard length <= limit else {
      throw ValidationError("The text of \(option) has \(length) bytes: write one of at most \(limit).")
    }
    guard text == text.printable else {
      throw ValidationError(
        "The text of \(option) has characters that cannot be printed, such as line feeds: leave them out.")
    }
  }

  func run() throws {
    let words = HeldWords()
    let request = HoldRequest(
      orientations: InterfaceOrientationMask(names), command: words.command, application: application,
      reason: reason)
    let session = try HoldSession(request, options: bus)
    let end = try session.run(words.raw)
    end.killThisProcessLikewise()
    throw ExitCode(end.status)
  }
}

extension HoldRequest {
  /// How many bytes the daemon accepts as an application, or as a reason.
  static let textLengths = 1...255

  /// Creates the request of `orientationctl hold`.
  ///
  /// - Parameters:
  ///   - orientations: the orientations to hold the interface to.
  ///   - command: the command that runs meanwhile.
  ///   - application: who holds; nil is the name of the command.
  ///   - reason: what for; nil is the name of the command, because every user can read the reason, and its arguments are
  ///     files and addresses of this user.
  init(orientations: InterfaceOrientationMask, command: [String], application: String?, reason: String?) {
    let name = Self.name(of: command)
    self.init(
      orientations: orientations, application: application ?? name, reason: reason ?? name,
      authorization: .ofTerminal)
  }

  /// The command's name without its folder: printable, and cut between two characters to the length that the daemon accepts.
  private static func name(of command: [String]) -> String {
    // As Characters, a slash with a combining mark behind it would be none, and the folder a part of the name.
    let name = command.first?.unicodeScalars.split(separator: "/").last.map { String($0) } ?? ""
    var (fitting, count) = ("", 0)
    for character in name.printable {
      count += character.utf8.count
      guard count <= textLengths.upperBound else { break }
      fitting.append(character)
    }
    return fitting.isEmpty ? "orientationctl" : fitting
  }
}
