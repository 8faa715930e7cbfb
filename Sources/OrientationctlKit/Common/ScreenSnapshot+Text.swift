// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient

// The screen's state for people and for programs.
extension ScreenSnapshot {
  /// The state of the lock: "rotation is locked in landscapeRight".
  var lockSentence: String {
    switch lock {
    case .locked: "rotation is locked in \(orientation.name)"
    case .unlocked: "rotation is unlocked; the interface is in \(orientation.name)"
    }
  }

  /// The state of the interface: "the interface is in landscapeRight; rotation is locked".
  var orientationSentence: String {
    "the interface is in \(orientation.name); rotation is \(lock == .locked ? "locked" : "unlocked")"
  }

  /// The supported orientations: "the interface may be in portrait, landscapeLeft; it is in portrait".
  var supportedSentence: String {
    "the interface may be in \(supported.names.joined(separator: ", ")); it is in \(orientation.name)"
  }

  /// The whole state, for programs.
  var json: JSON { .object(lockMembers + orientationMembers + supportedMembers + tabletModeMembers) }

  var lockMembers: [JSON.Member] { [.init("rotation_locked", .bool(lock == .locked))] }

  var orientationMembers: [JSON.Member] {
    [
      .init("interface_orientation", .integer(Int64(orientation.rawValue))),
      .init("interface_orientation_name", .string(orientation.name)),
      .init("transform", .string(transform)),
    ]
  }

  var supportedMembers: [JSON.Member] {
    [.init("supported_interface_orientations", .array(supported.names.map(JSON.string)))]
  }

  var tabletModeMembers: [JSON.Member] { [.init("tablet_mode", .string(tabletMode))] }
}

extension InterfaceOrientationMask {
  /// The names of the orientations in the set, in the order of UIKit's numbers.
  var names: [String] { InterfaceOrientation.allCases.filter(contains).map(\.name) }
}
