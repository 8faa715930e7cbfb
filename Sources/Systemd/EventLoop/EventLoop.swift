// SPDX-License-Identifier: Apache-2.0

// The loop of the main thread: sd-event. It waits for descriptors, signals and timers at the same time, and does not
// wake up by itself. A loop and all that is attached to it belong to the thread that runs it.

import CLinux
import CSystemd

/// An event loop (`sd_event`).
public struct EventLoop: ~Copyable {
  let handle: OpaquePointer
  private let posted: PostedWork

  /// Creates a loop.
  ///
  /// - Throws: `SystemdError`, when there are no descriptors or no memory left.
  public init() throws(SystemdError) {
    handle = try create("sd_event_new") { sd_event_new(&$0) }
    posted = PostedWork(loop: handle)
  }

  deinit {
    posted.discard()
    sd_event_unref(handle)
  }

  /// Handles events until `exit(_:)` is called.
  ///
  /// Afterwards the loop cannot be run again.
  ///
  /// - Returns: The code that `exit(_:)` was given.
  /// - Throws: `SystemdError`, when the kernel refuses to wait.
  public func run() throws(SystemdError) -> CInt {
    // Work that can never run any more is freed now, as it may retain the owner of this loop.
    defer { posted.discard() }
    return try check(sd_event_loop(handle), "sd_event_loop")
  }

  /// Waits for one event and handles it.
  ///
  /// - Parameter timeoutSeconds: How long to wait at most; nil waits for ever.
  /// - Returns: Whether something was handled, or the time ran out.
  /// - Throws: `SystemdError`, when the kernel refuses to wait, and ESTALE after `exit(_:)`.
  @discardableResult
  public func runOnce(timeoutSeconds: Double? = nil) throws(SystemdError) -> Turn {
    let timeout = timeoutSeconds.map(microseconds) ?? UInt64.max
    return try check(sd_event_run(handle, timeout), "sd_event_run") > 0 ? .handledEvent : .timedOut
  }

  /// What a single turn of the loop did.
  public enum Turn: Equatable, Sendable {
    /// An event was waiting, and its handler ran.
    case handledEvent
    /// Nothing happened in the time given.
    case timedOut
  }

  /// Ends `run()` after the handler that calls this.
  ///
  /// - Parameter code: What `run()` returns, 0 to 255.
  public func exit(_ code: CInt) {
    // It fails only if the loop has ended already.
    _ = sd_event_exit(handle, code)
  }

  /// Notifies the service manager, at half of its `WatchdogSec=`, that the loop still runs.
  ///
  /// - Returns: Whether the service manager asked for that (`WATCHDOG_USEC`).
  /// - Throws: `SystemdError`, when the timer cannot be made.
  @discardableResult
  public func enableWatchdog() throws(SystemdError) -> Watchdog {
    try check(sd_event_set_watchdog(handle, 1), "sd_event_set_watchdog") > 0 ? .enabled : .notAskedFor
  }

  /// Whether the service manager watches this process.
  public enum Watchdog: Equatable, Sendable {
    /// The service manager is notified regularly.
    case enabled
    /// The process has no service manager, or that has not asked for notifications.
    case notAskedFor
  }

  /// Calls a handler after each event of any kind was handled.
  ///
  /// It causes no wake-ups.
  ///
  /// - Parameter handler: Should be quick, as it is called often.
  /// - Returns: The source, which owns the handler.
  /// - Throws: `SystemdError`, when the loop has ended.
  public func afterEvents(_ handler: @escaping () -> Void) throws(SystemdError) -> EventSource {
    try EventSource("sd_event_add_post", handler: handler) {
      sd_event_add_post(
        self.handle, &$0,
        { _, userdata in
          callback(EventHandler.self, userdata) { $0.body() }
          return 0
        }, $1)
    }
  }

  /// Runs work once, from the loop, after the handler that runs now.
  ///
  /// Do not use it to wait: work that always posts itself again would keep the bus from being read.
  ///
  /// - Parameter work: What to do. It is dropped if the loop ends before.
  public func post(_ work: @escaping () -> Void) {
    posted.append(work)
  }
}

/// The work that waits for the next turn.
private final class PostedWork {
  private let loop: OpaquePointer
  private var waiting: [() -> Void] = []
  private var source: OpaquePointer?

  init(loop: OpaquePointer) { self.loop = loop }

  func append(_ work: @escaping () -> Void) {
    waiting.append(work)
    guard source == nil else { return }
    // A new source for each batch: sd-event takes what has waited longest, and one that is merely switched
    // on again counts as waiting since it was made.
    let result = sd_event_add_defer(
      loop, &source,
      { _, userdata in
        callback(PostedWork.self, userdata) { $0.perform() }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    if result < 0 { waiting = [] }  // the loop has ended
  }

  func discard() {
    waiting = []
    sd_event_source_disable_unref(source)
    source = nil
  }

  private func perform() {
    let batch = waiting
    discard()
    for work in batch { work() }
  }
}
