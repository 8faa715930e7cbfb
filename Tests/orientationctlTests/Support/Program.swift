// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A program that runs, its output in files; killed at the latest when this is gone.
final class Program {
  /// Where the executables of this build are: beside the tests.
  static let folder: String = {
    guard let path = realpath("/proc/self/exe", nil) else { return "." }
    defer { free(path) }
    return String(cString: path).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
  }()

  private let folder = TemporaryFolder()
  private var process: pid_t = 0
  private var status: CInt?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the program, looked up in the build's folder and then in the PATH, and its arguments.
  ///   - environment: added to the tests' own.
  ///   - input: what it reads from its standard input.
  ///   - fifo: a FIFO that it reads instead.
  init(
    _ arguments: [String], environment: [String: String] = [:], input: String = "", fifo: String? = nil
  ) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(
      &actions, 0, fifo ?? folder.write(input, to: "input"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, folder.write("", to: "output"), O_WRONLY | O_APPEND, 0)
    posix_spawn_file_actions_addopen(&actions, 2, folder.write("", to: "errors"), O_WRONLY | O_APPEND, 0)
    var variables = Self.environment.merging(environment) { $1 }
    variables["PATH"] = "\(Self.folder):\(variables["PATH"] ?? "/usr/bin:/bin")"
    let words = (["/usr/bin/env"] + arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var attributes = Self.noSignalBlocked()
    defer { posix_spawnattr_destroy(&attributes) }
    let code = posix_spawn(&process, "/usr/bin/env", &actions, &attributes, words, settings)
    if code != 0 { Issue.record("\(arguments): \(String(cString: strerror(code)))") }
  }

  deinit {
    guard status == nil, process > 0 else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// The threads that tests run on block signals, which programs would inherit.
  private static func noSignalBlocked() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    return attributes
  }

  /// The tests' own, without what the tests of other mock kernels in this process have put there.
  private static let environment: [String: String] = {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      next += 1
    }
    for name in ["LD_PRELOAD", "UMOCKDEV_DIR"] { variables[name] = nil }
    return variables
  }()

  /// What it has written to its standard output so far.
  var output: String { folder.read("output") }

  /// What it has written to its standard error so far.
  var errors: String { folder.read("errors") }

  /// The lines of its output so far.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  func send(_ signal: CInt) {
    kill(process, signal)
  }

  /// Waits for its end; returns its exit status, or minus the signal that ended it.
  @discardableResult
  func end() -> CInt {
    waitUntil("the end of a program") { [self] in
      var raw: CInt = 0
      if status == nil, waitpid(process, &raw, WNOHANG) == process {
        status = raw & 0x7f == 0 ? raw >> 8 & 0xff : -(raw & 0x7f)
      }
      return status != nil
    }
    return status ?? .min
  }
}

/// Waits until something is so; a guard against hanging, and no measure of speed.
func waitUntil(_ what: String, _ isSo: () -> Bool) {
  for _ in 0..<3000 {
    if isSo() { return }
    usleep(20_000)
  }
  Issue.record("waited a minute for \(what)")
}

/// Runs orientationctl to its end.
func orientationctl(
  _ arguments: String..., environment: [String: String] = [:], input: String = ""
) -> Program {
  let program = Program(["orientationctl"] + arguments, environment: environment, input: input)
  program.end()
  return program
}
