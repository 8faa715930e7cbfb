// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import Systemd

/// A command that runs as a child of this process.
final class ChildCommand {
  /// The words of a command line, with a null pointer behind the last one.
  typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  private let id: pid_t

  /// Starts a command, which is looked up in `PATH`.
  ///
  /// It has the standard input, output and error of this process.
  ///
  /// - Parameters:
  ///   - words: the command line.
  ///   - mask: the signals that it has blocked.
  /// - Throws: ``CommandError`` if it is not found, or cannot be run, with the exit status that shells have for this.
  init(_ words: Words, blocking mask: sigset_t) throws(CommandError) {
    guard let program = words[0] else { throw Self.failure(of: "", code: ENOENT) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    let code = posix_spawnp(&child, program, nil, &attributes, words, environ)
    guard code == 0 else { throw Self.failure(of: String(cString: program), code: code) }
    id = child
  }

  private static func failure(of command: String, code: CInt) -> CommandError {
    let isMissing = code == ENOENT && !command.contains("/") && !isInPath(command)
    let reason = isMissing ? "not found in PATH" : String(cString: strerror(code))
    let name = command.isEmpty ? "''" : command.printable
    return CommandError("cannot run \(name): \(reason)", exitStatus: code == ENOENT ? 127 : 126)
  }

  /// Whether a folder of `PATH` has a file of this name: then it is the interpreter of a script that is missing.
  private static func isInPath(_ name: String) -> Bool {
    guard !name.isEmpty, let path = getenv("PATH") else { return false }
    return String(cString: path).split(separator: ":", omittingEmptySubsequences: false)
      .contains { access("\($0.isEmpty ? "." : $0)/\(name)", F_OK) == 0 }
  }

  /// Sends it a signal; only before its end was seen.
  func send(_ signal: CInt) { kill(id, signal) }

  /// How it has ended; nil while it runs.
  var end: CommandEnd? {
    var status: CInt = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
  }
}

/// How a command has ended.
enum CommandEnd {
  /// It has exited with this status.
  case exited(CInt)
  /// This signal has killed it.
  case killed(CInt)

  /// The status that shells have for this: that of the command, or 128 and the number of the signal.
  var status: CInt {
    switch self {
    case .exited(let status): status
    case .killed(let signal): 128 + signal
    }
  }

  /// Ends this process by the signal of a key of the terminal, if that has killed the command.
  ///
  /// On Ctrl-C, a shell ends its loop or script only if the program that it waits for was killed by SIGINT, too.
  func killThisProcessLikewise() {
    guard case .killed(let fatal) = self, fatal == SIGINT || fatal == SIGQUIT else { return }
    // This process has not failed, so it leaves no core dump. The kernel writes none to a program either at a limit of 1.
    var limit = rlimit()
    let core = CInt(RLIMIT_CORE.rawValue)
    getrlimit(core, &limit)
    limit.rlim_cur = min(1, limit.rlim_max)
    setrlimit(core, &limit)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, fatal)
    signal(fatal, SIG_DFL)
    kill(getpid(), fatal)
    // The kernel delivers it before this returns.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
