// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// What a command finds in its environment.
typealias HookVariables = KeyValuePairs<String, String>

/// A command of the user that has been started.
///
/// It goes on if this is destroyed.
final class HookProcess {
  private let id: pid_t
  private let descriptor: OwnedFileDescriptor
  private var ended: EventSource?

  /// Starts a command, which is looked up in `PATH`.
  ///
  /// It has the standard output and error of this process, and none of its other descriptors and signal settings.
  ///
  /// - Parameters:
  ///   - command: the command line.
  ///   - variables: what it finds in its environment besides what is there already.
  ///   - loop: waits for its end.
  ///   - handler: called at its end, with what is wrong with that; nil if nothing is.
  /// - Throws: ``CommandError`` with the reason, if it cannot be started.
  init(
    _ command: HookCommand, variables: HookVariables, loop: EventLoop,
    ended handler: @escaping (String?) -> Void
  ) throws(CommandError) {
    id = try Self.start(command.words, variables: variables)
    descriptor = OwnedFileDescriptor(adopting: processDescriptor(id))
    guard descriptor.number >= 0 else {
      let failure = CommandError(String(cString: strerror(errno)))
      Self.abandon(id)
      throw failure
    }
    do throws(SystemdError) {
      ended = try loop.onReadable(descriptor.number) { [unowned(unsafe) self] in
        ended = nil
        handler(problem)
      }
    } catch {
      Self.abandon(id)
      throw CommandError("\(error)")
    }
  }

  // The loop forgets the descriptor before it is closed.
  deinit { ended = nil }

  /// A command whose end would not be noticed must not run while the next one is started.
  private static func abandon(_ id: pid_t) {
    kill(id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// How it has ended, if not well; the kernel forgets the process by that.
  private var problem: String? {
    var status: CInt = 0
    guard waitpid(id, &status, 0) == id else { return nil }
    let signal = status & 0x7f
    if signal != 0 { return "was killed by signal \(signal)" }
    let code = status >> 8 & 0xff
    return code == 0 ? nil : "has ended with exit status \(code)"
  }

  private static func start(_ words: [String], variables: HookVariables) throws(CommandError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    var attributes = Self.attributes()
    defer { posix_spawnattr_destroy(&attributes) }
    let arguments = words.map { strdup($0) }
    let added = variables.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in arguments + added { free(text) } }
    var id: pid_t = 0
    let code = posix_spawnp(
      &id, words[0], &actions, &attributes, arguments + [nil], inherited(without: variables) + added + [nil])
    guard code == 0 else { throw CommandError(String(cString: strerror(code))) }
    return id
  }

  /// The event loop has blocked signals, and broken pipes are ignored: a program does not expect that.
  private static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGCHLD] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // A group of its own: Ctrl-C in the terminal is for this program, and the command stays.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    return attributes
  }

  /// The environment of this process, byte by byte: it need not be valid UTF-8.
  private static func inherited(without variables: HookVariables) -> [UnsafeMutablePointer<CChar>?] {
    var found: [UnsafeMutablePointer<CChar>?] = []
    var next = environmentVariables
    while let text = next?.pointee {
      let isReplaced = variables.contains { name, _ in
        strncmp(text, "\(name)=", name.utf8.count + 1) == 0
      }
      if !isReplaced { found.append(text) }
      next = next?.successor()
    }
    return found
  }
}
