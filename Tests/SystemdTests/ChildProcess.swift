// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that a test started, with its standard output and error in one pipe.
final class ChildProcess {
  let process: pid_t
  /// The reading end of the pipe.
  let output: CInt
  private var status: CInt?

  struct Failed: Error {
    let what: String
    let code: CInt
  }

  /// Starts a program, which is looked for in PATH where it has no slash.
  init(_ command: [String], environment: [String: String] = [:]) throws {
    let pipe = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, pipe.writing, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // This thread may have signals blocked for a loop; the child should not.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var variables: [String: String] = [:]
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    variables.merge(environment) { $1 }
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in arguments + settings { free(string) } }
    var process: pid_t = 0
    let result = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &settings)
    guard result == 0 else { throw Failed(what: command[0], code: result) }
    self.process = process
    output = fcntl(pipe.reading, F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      _ = wait()
    }
    close(output)
  }

  /// Reads what there is, waiting for something; empty at the end.
  func read() -> String { Pipe.read(output) }

  /// Reads one line, without its end.
  func readLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while Glibc.read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads all there is until the program ends.
  func readAll() -> String {
    var all = ""
    while case let some = read(), !some.isEmpty { all += some }
    return all
  }

  /// Waits for the end: the exit status, or 128 and the signal.
  func wait() -> CInt {
    if let status { return status }
    var raw: CInt = 0
    while waitpid(process, &raw, 0) < 0, errno == EINTR {}
    let ended = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
    status = ended
    return ended
  }

  /// The program that is built for what needs a process of its own.
  static func helper() throws -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count)
    guard length > 0 else { throw Failed(what: "/proc/self/exe", code: errno) }
    let test = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = test.lastIndex(of: "/") else { throw Failed(what: test, code: ENOENT) }
    return test[...slash] + "systemd-test-helper"
  }
}
