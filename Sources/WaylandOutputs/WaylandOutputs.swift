// SPDX-License-Identifier: Apache-2.0

import CWayland
package import Following
import Orientation
package import Systemd

/// The outputs of a Wayland compositor, by `zwlr_output_manager_v1`.
package final class WaylandOutputs: TurnableOutputs {
  private let display: WaylandDisplay
  private let listener: OutputsListener
  /// How long to wait for the end of a report, in seconds: `done` must follow each change, but Hyprland sends none after some.
  private static let patience = 0.1

  private var readable: EventSource?
  private var incomplete: Timer?
  private var globals: WaylandGlobals?
  private var manager: OutputManager?

  /// Connects to the compositor of the session; its outputs are reported later.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - listener: receives what happens.
  /// - Throws: `CommandError` if there is none.
  package init(loop: EventLoop, listener: OutputsListener) throws(CommandError) {
    display = try WaylandDisplay()
    self.listener = listener
    globals = WaylandGlobals(of: display) { [unowned(unsafe) self] in found($0) }
    try inEventLoop { () throws(SystemdError) in
      readable = try loop.onReadable(display.descriptor) { [unowned(unsafe) self] in dispatch() }
      incomplete = try loop.timer { [unowned(unsafe) self] in manager?.reportIncomplete() }
    }
    guard display.flush() else { throw display.failure }
  }

  /// Asks the compositor for a change.
  package func apply(_ arrangement: Arrangement) {
    manager?.apply(arrangement)
    if !display.flush() { fail(display.failure) }
  }

  private func dispatch() {
    if !display.dispatch() { fail(display.failure) }
  }

  private func found(_ manager: Result<OpaquePointer, CommandError>) {
    switch manager {
    case .success(let handle):
      self.manager = OutputManager(
        handle, listener: listener,
        incomplete: { [unowned(unsafe) self] in incomplete?.arm(afterSeconds: Self.patience) },
        failed: { [unowned(unsafe) self] in fail($0) })
    case .failure(let refusal): fail(refusal)
    }
  }

  private func fail(_ failure: CommandError) {
    // The descriptor stays readable after the compositor's end.
    readable = nil
    listener.failed(failure)
  }
}
