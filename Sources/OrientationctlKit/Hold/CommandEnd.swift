// SPDX-License-Identifier: Apache-2.0

import Glibc

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
