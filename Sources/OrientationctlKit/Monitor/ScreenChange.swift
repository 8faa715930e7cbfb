// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient

/// What can change about the screen, each a line of the monitor's.
enum ScreenChange: CaseIterable {
  // What moves the interface is told before the interface moves.
  case lock
  case supported
  case tabletMode
  case orientation

  /// What differs between two states.
  static func all(from before: ScreenSnapshot, to now: ScreenSnapshot) -> [ScreenChange] {
    allCases.filter { $0.hasHappened(from: before, to: now) }
  }

  private func hasHappened(from before: ScreenSnapshot, to now: ScreenSnapshot) -> Bool {
    switch self {
    case .lock: now.lock != before.lock
    // The transform alone changes where the panel's own upright becomes known.
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

  /// What programs are told besides the kind.
  func members(in screen: ScreenSnapshot) -> [JSON.Member] {
    switch self {
    case .lock: screen.lockMembers
    case .orientation: screen.orientationMembers
    case .supported: screen.supportedMembers
    case .tabletMode: screen.tabletModeMembers
    }
  }
}
