// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@Suite("The examples that read motion")
struct MotionExampleTests {
  /// The examples, each with what begins a comment.
  static let examples = ["motion.c": "//", "motion.py": "#"]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts an example, after a program in C has been compiled as its source says.
  private func start(
    _ example: String, at path: String, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let source = projectFolder.appending(path: "examples/motion/\(example)").path
    guard example.hasSuffix(".c") else {
      return try ChildProcess("/usr/bin/python3", [source, path], environment: environment)
    }
    let text = try projectFile("examples/motion/\(example)")
    let command = try #require(text.firstMatch(of: /\/\/ (cc -Wall -o motion) motion\.c\n/)?.1)
    let headers = projectFolder.appending(path: "data/include").path
    let compiler = try ChildProcess(
      "sh", ["-c", "cd '\(folder.path)' && \(command) -Wextra -Werror -I'\(headers)' '\(source)'"])
    guard try compiler.exitCode() == 0 else { throw GaveUp(description: compiler.errors) }
    return try ChildProcess("\(folder.path)/motion", [path], environment: environment)
  }

  @Test(
    "each requests gravity, prints samples and states, and ends with the daemon",
    arguments: examples.keys.sorted())
  func prints(example: String) throws {
    let socket = try FakeMotionSocket()
    let program = try start(example, at: socket.path)
    let connection = try socket.accept()
    try connection.wait(forRequests: 1)
    #expect(connection.requests == [.start(.gravity, interval: MotionInterval(nearestTo: 100_000))])
    for state in MotionState.allCases { try connection.send(state, of: .gravity) }
    try connection.send(.gravity, 0, 9.806, -1.5)
    try wait(for: "a line") { program.lines == ["0.00 9.81 -1.50"] }
    #expect(
      program.errors == """
        gravity: starting
        gravity: active
        gravity: no sensor
        gravity: failed
        gravity: suspended
        gravity: waiting
        gravity: stopped
        gravity: denied
        gravity: limits exceeded
        gravity: invalid request

        """)
    connection.end()
    #expect(try program.exitCode() == 1)
    #expect(program.errors.hasSuffix("the connection has ended\n"))
  }

  @Test(
    "each prints why the daemon has refused it, also if that was before its request",
    arguments: examples.keys.sorted())
  func refused(example: String) throws {
    let socket = try FakeMotionSocket()
    let faults = try DriverFaults([DriverFault(.send, "motion", .isHeld)])
    let program = try start(example, at: socket.path, environment: faults.environment)
    let connection = try socket.accept()
    try connection.send(.denied, of: nil)
    connection.end()
    faults.set([])
    #expect(try program.exitCode() == 1)
    #expect(program.errors == "connection: denied\nthe connection has ended\n")
  }

  @Test("each ends with Ctrl-C, and if there is no daemon", arguments: examples.keys.sorted())
  func ends(example: String) throws {
    let socket = try FakeMotionSocket()
    let program = try start(example, at: socket.path)
    let connection = try socket.accept()
    try connection.wait(forRequests: 1)
    program.send(SIGINT)
    #expect(try program.exitCode() == -SIGINT)
    try connection.waitForEnd()
    socket.stop()
    #expect(try start(example, at: socket.path).exitCode() == 1)
  }

  @Test("none has more than 40 lines of code", arguments: examples.keys.sorted())
  func length(example: String) throws {
    let comment = try #require(Self.examples[example])
    let lines = try projectFile("examples/motion/\(example)").split(separator: "\n").filter {
      !$0.trimmingCharacters(in: .whitespaces).hasPrefix(comment) && !$0.hasPrefix("\"\"\"")
    }
    #expect(lines.count <= 40)
  }
}
