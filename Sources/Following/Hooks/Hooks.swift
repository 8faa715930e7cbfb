// SPDX-License-Identifier: Apache-2.0

import CLinux
import DaemonClient
import Orientation
import Systemd

/// The commands of the user that run when the device becomes a tablet or a laptop, and when the screen was turned.
final class Hooks {
  private let onTabletMode: Hook?
  private let onTransform: Hook?
  private var screen = ScreenSnapshot()
  /// What the panel has; nil before it was seen to have what the daemon wants.
  private var transform: OutputTransform?
  /// The orientation that this transform shows.
  private var interface = InterfaceOrientation.unknown

  /// Creates the hooks that a request has; nothing runs yet.
  ///
  /// - Parameters:
  ///   - request: what to do.
  ///   - loop: the loop of this thread.
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(_ request: FollowRequest, loop: EventLoop) throws(SystemdError) {
    func hook(_ name: String, _ command: HookCommand?) throws(SystemdError) -> Hook? {
      guard let command else { return nil }
      return try Hook(name, command, loop: loop)
    }
    keepEndsOfChildren()
    onTabletMode = try hook(FollowRequest.tabletModeOption, request.onTabletMode)
    onTransform = try hook(FollowRequest.transformOption, request.onTransform)
  }

  /// Those that the request has.
  var all: [Hook] { [onTabletMode, onTransform].compactMap { $0 } }

  /// Takes what the daemon says.
  func take(_ screen: ScreenSnapshot) {
    self.screen = screen
    let mode = tabletMode
    guard mode != .unknown else { return }
    onTabletMode?.take(mode.rawValue, self.variables(in: mode))
  }

  /// Takes the transform that the panel was seen to have.
  func take(shown transform: OutputTransform) {
    self.transform = transform
    // Until the panel is turned again, it shows the orientation before.
    if screen.transform == transform.rawValue { interface = screen.orientation }
    onTransform?.take(transform.rawValue, self.variables(in: self.tabletMode))
  }

  /// Whether the device is a tablet or a laptop.
  private var tabletMode: TabletMode { TabletMode(rawValue: screen.tabletMode) ?? .unknown }

  /// What a command of the user finds in its environment.
  private func variables(in mode: TabletMode) -> HookVariables {
    [
      "ORIENTATION_TABLET_MODE": mode.rawValue,
      "ORIENTATION_TRANSFORM": transform?.rawValue ?? "unknown",
      "ORIENTATION_INTERFACE": interface.name,
    ]
  }
}
