// SPDX-License-Identifier: Apache-2.0

import Orientation

/// What a command of the user finds in its environment.
struct HookValues: Equatable {
  /// Whether the device is a tablet or a laptop.
  var tabletMode = TabletMode.unknown
  /// What the panel has; nil before it was seen to have what the daemon wants.
  var transform: OutputTransform?
  /// The orientation that this transform shows.
  var interface = InterfaceOrientation.unknown

  /// The variables by their names.
  var variables: [String: String] {
    [
      "ORIENTATION_TABLET_MODE": tabletMode.rawValue,
      "ORIENTATION_TRANSFORM": transform?.rawValue ?? "unknown",
      "ORIENTATION_INTERFACE": interface.name,
    ]
  }
}
