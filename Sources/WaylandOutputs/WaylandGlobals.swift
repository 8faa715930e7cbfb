// SPDX-License-Identifier: Apache-2.0

import CWayland
import Following
import Systemd

/// What the compositor offers.
final class WaylandGlobals {
  /// The version whose events the generated code knows; compositors may have a later one.
  private static let version: UInt32 = 3

  private let registry: OpaquePointer
  private var sync: OpaquePointer?
  private let found: (Result<OpaquePointer, CommandError>) -> Void
  private var hasManager = false
  private var refusal = CommandError.unavailable(
    "this compositor does not let other programs turn its outputs: it does not offer zwlr_output_manager_v1 "
      + "(wlr-output-management), as sway, labwc, Wayfire, river, phoc, Hyprland, COSMIC and newer versions of "
      + "niri do")

  /// Asks for what the compositor offers.
  ///
  /// - Parameters:
  ///   - display: the connection; it must outlive this.
  ///   - found: called once: with the object that manages outputs, or what it means that there is none.
  init(of display: WaylandDisplay, _ found: @escaping (Result<OpaquePointer, CommandError>) -> Void) {
    self.found = found
    registry = wl_display_get_registry(display.handle)
    let userdata = Unmanaged.passUnretained(self).toOpaque()
    wl_registry_add_listener(registry, Self.registryListener, userdata)
    // It is answered after all that is offered now.
    sync = wl_display_sync(display.handle)
    wl_callback_add_listener(sync, Self.syncListener, userdata)
  }

  private func offered(_ interface: String, name: UInt32, version: UInt32) {
    switch interface {
    case "zwlr_output_manager_v1" where !hasManager:
      hasManager = true
      found(.success(wayland_bind_output_manager(registry, name, min(version, Self.version))))
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
    if !hasManager { found(.failure(refusal)) }
  }

  nonisolated(unsafe) private static let registryListener = stored(
    wl_registry_listener(
      global: { userdata, _, name, interface, version in
        guard let interface else { return }
        callback(WaylandGlobals.self, userdata) {
          $0.offered(String(cString: interface), name: name, version: version)
        }
      },
      global_remove: { _, _, _ in }))

  nonisolated(unsafe) private static let syncListener = stored(
    wl_callback_listener(done: { userdata, _, _ in callback(WaylandGlobals.self, userdata) { $0.allOffered() }
    }))
}
