// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// Blocks SIGHUP until the service runs and listens for it; it would end the process.
///
/// To be called first of all, in the one thread that there is.
public func holdReloads() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGHUP)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// SIGTERM and SIGINT, which end the loop.
///
/// They are blocked from here on, and in each thread that is started later.
struct EndSignals: ~Copyable {
  private let terminate: EventSource
  private let interrupt: EventSource

  init(for connection: Connection) throws(SystemdError) {
    let terminate = try connection.loop.onSignal(SIGTERM, priority: .beforeBus) { connection.end() }
    let interrupt = try connection.loop.onSignal(SIGINT, priority: .beforeBus) { connection.end() }
    self.terminate = terminate
    self.interrupt = interrupt
  }
}
