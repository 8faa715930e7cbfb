// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// A reference to an event loop, for objects that wait for descriptors which come and go.
///
/// It keeps libsystemd's loop in memory, but not the ``EventLoop``: after that was destroyed, no handler is called. Only the loop's
/// thread may use it.
public struct EventLoopReference: ~Copyable {
  private let handle: OpaquePointer

  /// Refers to a loop.
  public init(_ loop: borrowing EventLoop) { handle = sd_event_ref(loop.handle) }

  deinit { sd_event_unref(handle) }

  /// Waits until a descriptor can be read; see ``EventLoop/onReadable(_:priority:_:)``.
  ///
  /// - Parameters:
  ///   - descriptor: Belongs to the caller, who closes it after the source was destroyed.
  ///   - priority: Which events are handled before others.
  ///   - handler: Must read: it is called again while there is something to read.
  /// - Returns: The source, which owns the handler.
  /// - Throws: `SystemdError`: EPERM for a regular file, EEXIST for a descriptor waited for already.
  public borrowing func onReadable(
    _ descriptor: CInt, priority: EventPriority = .normal, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    try waitUntilReadable(descriptor, on: handle, priority: priority, handler)
  }

  /// Makes a timer that is not armed yet; see ``EventLoop/timer(clock:accuracySeconds:_:)``.
  ///
  /// - Parameter handler: Called each time it fires.
  /// - Returns: The timer, which owns the handler.
  /// - Throws: `SystemdError`, when there are no descriptors left.
  public borrowing func timer(_ handler: @escaping () -> Void) throws(SystemdError) -> Timer {
    try makeTimer(of: handle, clock: .monotonic, accuracySeconds: 0.01, handler)
  }
}
