// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Systemd

/// Signals to the process that an event loop handles, in place of their default actions.
package final class HandledSignals {
  /// An event source in an array, which only classes can be in.
  private final class Source {
    private let source: EventSource
    init(_ source: consuming EventSource) { self.source = source }
  }

  /// Ctrl-C, SIGTERM, and the end of the terminal, but for those that are to be ignored: to handle one is to end that.
  package static var ends: [CInt] { [SIGINT, SIGTERM, SIGHUP].filter { isIgnored(signal: $0) == 0 } }

  private var sources: [Source] = []

  /// Starts to handle them.
  ///
  /// - Parameters:
  ///   - numbers: the signals.
  ///   - loop: the loop of this thread.
  ///   - handler: called with each that comes.
  /// - Throws: `SystemdError` if there are no descriptors left.
  package init(
    _ numbers: [CInt], in loop: EventLoop, _ handler: @escaping (CInt) -> Void
  ) throws(SystemdError) {
    for number in numbers { sources.append(Source(try loop.onSignal(number) { handler(number) })) }
  }
}
