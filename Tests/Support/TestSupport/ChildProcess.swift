// SPDX-License-Identifier: Apache-2.0

package import CProcess
import Foundation

/// A program that a test starts, its output in files, and that is killed once the test has done with it.
package final class ChildProcess {
  /// What a program has for its standard input.
  package enum Input {
    case nothing
    case text(String)
    /// A file or a FIFO.
    case path(String)
  }

  /// Its process id.
  package let id: pid_t
  private let program: String
  private let folder: TemporaryFolder
  /// Its exit code, or the negative number of the signal that killed it; nil until its end has been seen.
  private var ending: CInt?

  /// Starts a program with nothing in its environment but the path, the compiler's libraries and sanitizers, and what is given.
  ///
  /// - Parameters:
  ///   - program: a path, or the name of a program of this build or in the path.
  ///   - arguments: its arguments.
  ///   - environment: added to its environment.
  ///   - input: what it reads from its standard input.
  ///   - output: an open descriptor for its standard output; nil is a file, which ``output`` reads.
  ///   - passed: an open descriptor that it has as number 3, as a service manager passes sockets; nil is none.
  /// - Throws: what keeps it from being started.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    input: Input = .nothing, output: CInt? = nil, passed: CInt? = nil
  ) throws {
    self.program = program
    folder = try TemporaryFolder()
    let source =
      switch input {
      case .nothing: "/dev/null"
      case .text(let text): try folder.write(text, to: "input")
      case .path(let path): path
      }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, source, O_RDONLY, 0)
    for (descriptor, name) in [(STDOUT_FILENO, "output"), (STDERR_FILENO, "errors")] {
      let file = try folder.write("", to: name)
      posix_spawn_file_actions_addopen(&actions, descriptor, file, O_WRONLY | O_APPEND, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    // What other tests have open at the time is none of its business.
    var first = STDERR_FILENO + 1
    if let passed {
      posix_spawn_file_actions_adddup2(&actions, passed, first)
      first += 1
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, first)
    var attributes = Self.defaultSignals()
    defer { posix_spawnattr_destroy(&attributes) }
    // env(1) looks programs up in the path that it is given.
    let words = (["/usr/bin/env", program] + arguments).map { strdup($0) } + [nil]
    let variables = Self.inherited.merging(environment) { _, given in given }
    let settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/usr/bin/env", &actions, &attributes, words, settings)
    guard code == 0 else { throw GaveUp(description: "\(program): \(String(cString: strerror(code)))") }
    id = process
  }

  deinit {
    guard isRunning else { return }
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// Signals as a program expects them, whoever runs the tests.
  ///
  /// Tests run in threads that have signals blocked, which a child inherits: a bus would not hear of the end of what
  /// it has started. And broken pipes may be ignored, and a hang-up by nohup(1).
  private static func defaultSignals() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGHUP, SIGPIPE, SIGINT, SIGQUIT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// What a program has in its environment besides what it is given.
  private static let inherited: [String: String] = {
    var variables: [String: String] = [:]
    for name in ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    variables["PATH"] = "\(BuiltPrograms.folder):\(variables["PATH"] ?? "/usr/bin:/bin")"
    return variables
  }()

  /// Whether it has not ended yet.
  package var isRunning: Bool {
    var status: CInt = 0
    guard ending == nil, waitpid(id, &status, WNOHANG) == id else { return ending == nil }
    ending = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    return false
  }

  /// What it has written to standard output so far.
  package var output: String { folder.read("output") }

  /// What it has written to standard error so far.
  package var errors: String { folder.read("errors") }

  /// The lines of its output so far.
  package var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Sends it a signal.
  package func send(_ signal: CInt) {
    // Once its end has been seen, its number may be another's.
    if isRunning { kill(id, signal) }
  }

  /// Waits for its end: ``patience`` at least, and ten times that while it works, as a busy machine may give it a hundredth of its time.
  ///
  /// - Returns: its exit code; the negative number of a signal that killed it.
  /// - Throws: ``GaveUp`` if it does not end.
  @discardableResult
  package func exitCode() throws -> CInt {
    for _ in 1..<10 {
      let before = processorTime
      do { return try end() } catch  where processorTime != before {}
    }
    return try end()
  }

  private func end() throws -> CInt {
    try wait(for: "the end of \(program)") { !isRunning }
    return ending ?? .min
  }

  /// Its processor time so far, as the fields utime and stime of proc_pid_stat(5).
  private var processorTime: ArraySlice<Substring>? {
    // They are the 14th and 15th; the second one, a name in parentheses, may have spaces.
    let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return (stat?.split(separator: ") ").last?.split(separator: " ")).map { $0[11...12] }
  }
}
