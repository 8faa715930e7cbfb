// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that a test starts, and that is killed once the test has done with it.
final class ChildProcess {
  private let process = Process()
  private let exited = DispatchSemaphore(value: 0)
  private let directory: TemporaryDirectory

  /// Starts a program with nothing in its environment but the path, the compiler's libraries and sanitizers, and what is given.
  ///
  /// - Parameters:
  ///   - program: a path, or the name of a program in the path.
  ///   - arguments: its arguments.
  ///   - environment: added to its environment.
  /// - Throws: what keeps it from being started.
  init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Whoever runs the tests may ignore broken pipes, which a child inherits.
    process.arguments = ["--default-signal=PIPE", program] + arguments
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
    }
    process.environment = inherited.merging(environment) { _, given in given }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: try directory.write("", to: "output"))
    process.standardError = FileHandle(forWritingAtPath: try directory.write("", to: "errors"))
    process.terminationHandler = { [exited] _ in exited.signal() }
    // Tests run in threads that have signals blocked, which a child inherits: a bus would not hear of the end of what
    // it has started.
    var none = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try process.run()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    exited.wait()
  }

  /// Its process id.
  var id: Int32 { process.processIdentifier }

  /// Whether it has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// What it has written to standard output so far.
  var output: String { text("output") }

  /// What it has written to standard error so far.
  var errors: String { text("errors") }

  /// Sends it a signal.
  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits for its end.
  ///
  /// - Returns: its exit code; the negative number of a signal that killed it.
  /// - Throws: ``GaveUp`` if it does not end.
  func exitCode() throws -> Int32 {
    try wait(for: "the end of \(process.arguments?.dropFirst().first ?? "")") { !process.isRunning }
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  private func text(_ name: String) -> String {
    String(
      decoding: FileManager.default.contents(atPath: "\(directory.path)/\(name)") ?? Data(), as: UTF8.self)
  }
}
