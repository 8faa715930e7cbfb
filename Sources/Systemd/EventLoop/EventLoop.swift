// SPDX-License-Identifier: Apache-2.0

// The loop of the main thread: sd-event. It waits for descriptors, signals and timers at the same time, and does not
// wake up by itself. A loop and all that is attached to it belong to the thread that runs it.

import CLinux
import CSystemd

/// An event loop (`sd_event`).
package final class EventLoop {
  let handle: OpaquePointer
  /// The work that waits for the next turn, and the source that performs it then.
  private var posted: [() -> Void] = []
  private var turn: OpaquePointer?

  /// Creates a loop.
  ///
  /// - Throws: `SystemdError`, when there are no descriptors or no memory left.
  package init() throws(SystemdError) {
    handle = try SystemdError.create("sd_event_new") { sd_event_new(&$0) }
  }

  deinit {
    discardPosted()
    sd_event_unref(handle)
  }

  /// Handles events until `exit(_:)` is called.
  ///
  /// Afterwards the loop cannot be run again.
  ///
  /// - Returns: The code that `exit(_:)` was given.
  /// - Throws: `SystemdError`, when the kernel refuses to wait.
  package func run() throws(SystemdError) -> CInt {
    // Work that can never run any more is freed now, as it may retain the owner of this loop.
    defer { discardPosted() }
    return try SystemdError.check(sd_event_loop(handle), "sd_event_loop")
  }

  /// Waits for one event and handles it.
  ///
  /// - Parameter timeoutSeconds: How long to wait at most; nil waits for ever.
  /// - Returns: Whether something was handled, or the time ran out.
  /// - Throws: `SystemdError`, when the kernel refuses to wait, and ESTALE after `exit(_:)`.
  @discardableResult
  package func runOnce(timeoutSeconds: Double? = nil) throws(SystemdError) -> Turn {
    let timeout = timeoutSeconds.map(microseconds) ?? UInt64.max
    let handled = try SystemdError.check(sd_event_run(handle, timeout), "sd_event_run")
    return handled > 0 ? .handledEvent : .timedOut
  }

  /// What a single turn of the loop did.
  package enum Turn: Equatable, Sendable {
    /// An event was waiting, and its handler ran.
    case handledEvent
    /// Nothing happened in the time given.
    case timedOut
  }

  /// Ends `run()` after the handler that calls this.
  ///
  /// - Parameter code: What `run()` returns, 0 to 255.
  package func exit(_ code: CInt) {
    // It fails only if the loop has ended already.
    _ = sd_event_exit(handle, code)
  }

  /// Notifies the service manager, at half of its `WatchdogSec=`, that the loop still runs.
  ///
  /// - Returns: Whether the service manager asked for that (`WATCHDOG_USEC`).
  /// - Throws: `SystemdError`, when the timer cannot be made.
  @discardableResult
  package func enableWatchdog() throws(SystemdError) -> Bool {
    try SystemdError.check(sd_event_set_watchdog(handle, 1), "sd_event_set_watchdog") > 0
  }

  /// Calls a handler after each event of any kind was handled.
  ///
  /// It causes no wake-ups.
  ///
  /// - Parameter handler: Should be quick, as it is called often.
  /// - Returns: The source, which owns the handler.
  /// - Throws: `SystemdError`, when the loop has ended.
  package func afterEvents(_ handler: @escaping () -> Void) throws(SystemdError) -> EventSource {
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
  /// - Parameter work: What to do. It is dropped if the loop ends before. Until then it is kept with all that it owns: with a
  ///   bus of this loop, the loop too.
  package func post(_ work: @escaping () -> Void) {
    posted.append(work)
    guard turn == nil else { return }
    // A new source for each batch: sd-event takes what has waited longest, and one that is merely switched
    // on again counts as waiting since it was made.
    let result = sd_event_add_defer(
      handle, &turn,
      { _, userdata in
        callback(EventLoop.self, userdata) { $0.performPosted() }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    if result < 0 { posted = [] }  // the loop has ended
  }

  private func discardPosted() {
    posted = []
    sd_event_source_disable_unref(turn)
    turn = nil
  }

  private func performPosted() {
    let batch = posted
    discardPosted()
    for work in batch { work() }
  }
}
