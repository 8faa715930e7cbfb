// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Whether a screen is turned is tested with real compositors: `make test-follow`.
@Suite("orientationctl follow")
struct FollowCommandTests {
  private let folder: TemporaryFolder
  private let tool: String

  init() throws {
    folder = try TemporaryFolder()
    tool = try folder.install("\(BuiltPrograms.folder)/orientationctl", as: "bin/orientationctl")
  }

  private func run(_ program: String, _ arguments: String...) throws -> (status: CInt, program: ChildProcess)
  {
    let program = try ChildProcess(program, ["follow"] + arguments)
    return (try program.exitCode(), program)
  }

  /// Installs a program that shows what it was executed with.
  private func installFollower(in place: String) throws {
    try folder.install(
      script: "#!/bin/sh\nprintf '%s,' \"$@\"\nexit 7\n", as: "\(place)/orientationctl-follow")
  }

  @Test("names the package if the program that follows is not installed")
  func notInstalled() throws {
    let (status, program) = try run(tool)
    #expect(status == 1)
    #expect(program.errors.contains("sudo apt install orientationctl-follow"))
  }

  @Test(
    "becomes the program that follows, beside itself, in libexec or in its own folder of lib, with the same arguments",
    arguments: ["bin", "libexec", "lib/orientationd"])
  func becomes(place: String) throws {
    try installFollower(in: place)
    let (status, program) = try run(tool, "--output=DSI 1", "--user")
    #expect(status == 7)
    #expect(program.output == "--user,--output,DSI 1,")
  }

  @Test("becomes another program in X sessions")
  func becomesThatOfX() throws {
    try installFollower(in: "libexec")
    try folder.install(script: "#!/bin/sh\nexit 8\n", as: "libexec/orientationctl-follow-x")
    #expect(try ChildProcess(tool, ["follow"], environment: ["DISPLAY": ":0"]).exitCode() == 8)
    let session = ["DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"]
    #expect(try ChildProcess(tool, ["follow"], environment: session).exitCode() == 7)
  }

  @Test("what it becomes has standard descriptors, also if the caller has closed them")
  func closedDescriptors() throws {
    let links = "readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2"
    try folder.install(
      script: "#!/bin/sh\nlinks=$(\(links))\necho $links >\(folder.path)/links\n",
      as: "bin/orientationctl-follow")
    try ChildProcess("sh", ["-c", "exec \(tool) follow <&- >&- 2>&-"]).exitCode()
    #expect(folder.read("links") == "/dev/null /dev/null /dev/null\n")
  }

  @Test("passes commands for changes on, as they were written")
  func hooks() throws {
    try installFollower(in: "bin")
    let program = try run(tool, "--on-transform", "sh -c 'a b'", "--on-tablet-mode=x  y").program
    #expect(program.output == "--on-tablet-mode,x  y,--on-transform,sh -c 'a b',")
  }

  @Test(
    "refuses an empty command, and one whose quotation does not end", arguments: ["", " ", "''", "sh -c 'x"])
  func wrongHook(command: String) throws {
    try installFollower(in: "bin")
    for option in ["--on-transform", "--on-tablet-mode"] {
      let (status, program) = try run(tool, option, command)
      #expect(status == 64)
      #expect(
        program.errors.contains(command.contains("x") ? "the closing ' is missing" : "there is no command"))
    }
  }

  @Test("finds it also through a link to itself")
  func link() throws {
    try installFollower(in: "libexec")
    let link = "\(folder.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool)
    #expect(try run(link).status == 7)
  }

  @Test("says why the program that follows cannot be executed")
  func notExecutable() throws {
    try folder.write("", to: "libexec/orientationctl-follow")
    let (status, program) = try run(tool)
    #expect(status == 1)
    #expect(program.errors.contains("Permission denied"))
  }

  @Test("refuses a wrong command line before that, and has its help without it")
  func usage() throws {
    #expect(try run(tool, "--output", "").status == 64)
    #expect(try run(tool, "DSI-1").status == 64)
    let (status, program) = try run(tool, "--help")
    #expect(status == 0)
    #expect(program.output.contains("--output <output-name>"))
  }
}
