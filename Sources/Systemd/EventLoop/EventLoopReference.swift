// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// An event loop as those know it who wait for descriptors that come and go, without owning the loop.
///
/// It belongs to the loop's thread like all else of it. What is waited for on a loop that is gone never happens.
public struct EventLoopReference: ~Copyable {
  private let handle: OpaquePointer

  /// Refers to a loop.
  public init(_ loop: borrowing EventLoop) { handle = sd_event_ref(loop.handle) }

  deinit { sd_event_unref(handle) }

  /// Waits until a descriptor can be read; see ``EventLoop/onReadable(_:_:)``.
  ///
  /// - Parameters:
  ///   - descriptor: Stays the caller's, who closes it after the source is gone.
  ///   - handler: Must read: it is called again as long as there is something.
  /// - Returns: The source; the handler lives as long.
  /// - Throws: `SystemdError`: EPERM for a regular file, EEXIST for a descriptor waited for already.
  public borrowing func onReadable(
    _ descriptor: CInt, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> EventSource {
    try waitUntilReadable(descriptor, on: handle, handler)
  }

  /// Makes a timer that is not armed yet; see ``EventLoop/timer(clock:accuracySeconds:_:)``.
  ///
  /// - Parameter handler: Called each time it fires.
  /// - Returns: The timer; the handler lives as long.
  /// - Throws: `SystemdError`, when there are no descriptors left.
  public borrowing func timer(_ handler: @escaping () -> Void) throws(SystemdError) -> Timer {
    try makeTimer(of: handle, clock: .monotonic, accuracySeconds: 0.01, handler)
  }
}
