// SPDX-License-Identifier: Apache-2.0

import CWayland
package import Following
import Orientation
package import Systemd

/// The outputs of a Wayland compositor, by `zwlr_output_manager_v1`.
package final class WaylandOutputs: TurnableOutputs {
  /// The version of the manager whose events the generated code knows; compositors may have a later one.
  private static let version: UInt32 = 3
  /// How long to wait for the end of a report, in seconds: `done` must follow each change, but Hyprland sends none after some.
  private static let patience = 0.1

  private let display: WaylandDisplay
  private let listener: OutputsListener
  private let registry: OpaquePointer
  private var sync: OpaquePointer?
  private var readable: EventSource?
  private var incomplete: Timer?
  private var manager: OutputManager?
  /// Why nothing is to be done where the compositor offers no manager.
  private var refusal = CommandError.unavailable(
    "this compositor does not let other programs turn its outputs: it does not offer zwlr_output_manager_v1 "
      + "(wlr-output-management), as sway, labwc, Wayfire, river, phoc, Hyprland, COSMIC and newer versions of "
      + "niri do")

  /// Connects to the compositor of the session; its outputs are reported later.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - listener: receives what happens.
  /// - Throws: `CommandError` if there is none.
  package init(loop: EventLoop, listener: OutputsListener) throws(CommandError) {
    display = try WaylandDisplay()
    self.listener = listener
    registry = wl_display_get_registry(display.handle)
    let userdata = Unmanaged.passUnretained(self).toOpaque()
    wl_registry_add_listener(registry, Self.registryListener, userdata)
    // It is answered after all that is offered now.
    sync = wl_display_sync(display.handle)
    wl_callback_add_listener(sync, Self.syncListener, userdata)
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

  private func offered(_ interface: String, name: UInt32, version: UInt32) {
    switch interface {
    case "zwlr_output_manager_v1" where manager == nil:
      manager = OutputManager(
        wayland_bind_output_manager(registry, name, min(version, Self.version)), listener: listener,
        incomplete: { [unowned(unsafe) self] in incomplete?.arm(afterSeconds: Self.patience) },
        failed: { [unowned(unsafe) self] in fail($0) })
    case "kde_output_management_v2":
      refusal = CommandError.unavailable(
        "KWin turns the screen itself; it needs net.hadess.SensorProxy: see SensorProxy in orientationd.conf(5)"
      )
    default: break
    }
  }

  private func allOffered() {
    wl_callback_destroy(sync)
    sync = nil
    if manager == nil { fail(refusal) }
  }

  private func fail(_ failure: CommandError) {
    // The descriptor stays readable after the compositor's end.
    readable = nil
    listener.failed(failure)
  }

  nonisolated(unsafe) private static let registryListener = stored(
    wl_registry_listener(
      global: { userdata, _, name, interface, version in
        guard let interface else { return }
        callback(WaylandOutputs.self, userdata) {
          $0.offered(String(cString: interface), name: name, version: version)
        }
      },
      global_remove: { _, _, _ in }))

  nonisolated(unsafe) private static let syncListener = stored(
    wl_callback_listener(done: { userdata, _, _ in callback(WaylandOutputs.self, userdata) { $0.allOffered() }
    }))
}
