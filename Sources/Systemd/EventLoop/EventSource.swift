// SPDX-License-Identifier: Apache-2.0

// What the loop waits for. A source owns its handler: destroying the source ends both. The handler itself may do that.

import CLinux
import CSystemd

/// Something that an `EventLoop` waits for (`sd_event_source`), until this is destroyed.
public struct EventSource: ~Copyable {
  let handle: OpaquePointer
  private let handler: EventHandler

  /// Makes a source with the function given, and keeps the handler for it.
  init(
    _ operation: StaticString, priority: EventPriority = .normal, handler body: @escaping () -> Void,
    make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> CInt
  ) throws(SystemdError) {
    let handler = EventHandler(body)
    let userdata = Unmanaged.passUnretained(handler).toOpaque()
    let source = try SystemdError.create(operation) { make(&$0, userdata) }
    let result = sd_event_source_set_priority(source, priority.rawValue)
    if result < 0 { sd_event_source_disable_unref(source) }
    try SystemdError.check(result, "sd_event_source_set_priority")
    handle = source
    self.handler = handler
  }

  deinit { sd_event_source_disable_unref(handle) }
}

/// Which of several events that wait is handled first.
///
/// Those of one priority are handled in turn.
package enum EventPriority: Int64, Sendable {
  /// Before messages of a bus, however many of those there are (`SD_EVENT_PRIORITY_IMPORTANT`).
  case beforeBus = -100
  /// In turn with messages of a bus (`SD_EVENT_PRIORITY_NORMAL`).
  case normal = 0
}

extension EventLoop {
  /// Waits for a signal to the process, in place of its default action.
  ///
  /// The signal is blocked in the calling thread, for good: call this before other threads start, which
  /// then inherit that.
  ///
  /// - Parameters:
  ///   - signal: Such as SIGTERM, SIGINT, SIGHUP.
  ///   - priority: Which events are handled before others.
  ///   - handler: Called for each delivery.
  /// - Returns: The source, which owns the handler.
  /// - Throws: `SystemdError`: EBUSY, when the loop has a source for this signal.
  package func onSignal(
    _ signal: CInt, priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    try SystemdError.check(-pthread_sigmask(SIG_BLOCK, &signals, nil), "pthread_sigmask")
    return try EventSource("sd_event_add_signal", priority: priority, handler: handler) {
      sd_event_add_signal(
        self.handle, &$0, signal,
        { _, _, userdata in
          callback(EventHandler.self, userdata) { $0.body() }
          return 0
        }, $1)
    }
  }

  /// Waits until a descriptor can be read, has hung up or has an error.
  ///
  /// - Parameters:
  ///   - descriptor: Belongs to the caller, who closes it after the source was destroyed.
  ///   - priority: Which events are handled before others.
  ///   - handler: Must read: it is called again while there is something to read.
  /// - Returns: The source, which owns the handler.
  /// - Throws: `SystemdError`: EPERM for a regular file, EEXIST for a descriptor waited for already.
  package func onReadable(
    _ descriptor: CInt, priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    try wait(for: EPOLLIN.rawValue, of: descriptor, priority: priority, handler)
  }

  /// Waits until a descriptor has hung up or has an error: the end of whoever is at the other end of it.
  ///
  /// For the writing end of a pipe this is the end of the last reader. A terminal hangs up when its window is closed, and a
  /// socket when the peer has closed it; a peer that only writes no more is not at its end.
  ///
  /// - Parameters:
  ///   - descriptor: Belongs to the caller, who closes it after the source was destroyed.
  ///   - priority: Which events are handled before others.
  ///   - handler: Must destroy the source or end the loop: it is called again otherwise.
  /// - Returns: The source, which owns the handler.
  /// - Throws: `SystemdError`: EPERM for a regular file, EEXIST for a descriptor waited for already.
  package func onHangUp(
    _ descriptor: CInt, priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    // The kernel reports EPOLLHUP and EPOLLERR whatever is asked for.
    try wait(for: 0, of: descriptor, priority: priority, handler)
  }

  /// Waits for these events of a descriptor.
  func wait(
    for events: UInt32, of descriptor: CInt, priority: EventPriority = .normal,
    _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    try EventSource("sd_event_add_io", priority: priority, handler: handler) {
      sd_event_add_io(
        self.handle, &$0, descriptor, events,
        { _, _, _, userdata in
          callback(EventHandler.self, userdata) { $0.body() }
          return 0
        }, $1)
    }
  }
}

/// The stable address that sd-event passes to the callback.
final class EventHandler {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }
}
