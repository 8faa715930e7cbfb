// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient

/// A value of the screen that can change; the monitor prints a line for each change.
enum ScreenChange: CaseIterable {
  // The interface is last, because a change of the others can move it: the cause is printed first.
  case lock
  case supported
  case tabletMode
  case orientation

  /// The values that differ between two states.
  static func all(from before: ScreenSnapshot, to now: ScreenSnapshot) -> [ScreenChange] {
    allCases.filter { $0.hasHappened(from: before, to: now) }
  }

  private func hasHappened(from before: ScreenSnapshot, to now: ScreenSnapshot) -> Bool {
    switch self {
    case .lock: now.lock != before.lock
    // Only the transform changes if the panel's natural orientation becomes known later.
    case .orientation: now.orientation != before.orientation || now.transform != before.transform
    case .supported: now.supported != before.supported
    case .tabletMode: now.tabletMode != before.tabletMode
    }
  }

  /// The change for people.
  func text(in screen: ScreenSnapshot) -> String {
    switch self {
    case .lock: "rotation \(screen.lock == .locked ? "locked" : "unlocked")"
    case .orientation: "interface \(screen.orientation.name), transform \(screen.transform)"
    case .supported: "supported \(screen.supported.names.joined(separator: ", "))"
    case .tabletMode: "tablet mode \(screen.tabletMode)"
    }
  }

  /// The kind of change for programs.
  var event: String {
    switch self {
    case .lock: "rotation_lock"
    case .orientation: "interface_orientation"
    case .supported: "supported_interface_orientations"
    case .tabletMode: "tablet_mode"
    }
  }

  /// The members for programs, besides the kind.
  func members(in screen: ScreenSnapshot) -> [JSON.Member] {
    switch self {
    case .lock: screen.lockMembers
    case .orientation: screen.orientationMembers
    case .supported: screen.supportedMembers
    case .tabletMode: screen.tabletModeMembers
    }
  }
}
