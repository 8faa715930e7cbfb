// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Monitoring
import Orientation

// The screen's state for people and for programs.
extension ScreenSnapshot {
  /// The state of the lock: "rotation is locked in landscapeRight (right edge up)".
  var lockSentence: String { lockSentence(naming: orientation.nameWithMeaning(on: naturalOrientation)) }

  /// The state of the interface: "the interface is in landscapeRight (right edge up); rotation is locked".
  var orientationSentence: String {
    "the interface is in \(orientation.nameWithMeaning(on: naturalOrientation)); rotation is \(lock == .locked ? "locked" : "unlocked")"
  }

  /// The supported orientations: "the interface may be in portrait (top edge up); it is in portrait (top edge up)".
  var supportedSentence: String {
    "the interface may be in \(supported.namesWithMeaning(on: naturalOrientation).joined(separator: ", ")); it is in "
      + orientation.nameWithMeaning(on: naturalOrientation)
  }

  /// The whole state, for programs.
  var json: JSON {
    .object(lockMembers + orientationMembers + supportedMembers + holdMembers + tabletModeMembers)
  }

  var lockMembers: [JSON.Member] { [("rotation_locked", .bool(lock == .locked))] }

  var orientationMembers: [JSON.Member] {
    [
      ("interface_orientation", .integer(Int64(orientation.rawValue))),
      ("interface_orientation_name", .string(orientation.name)),
      ("interface_orientation_is_decided", .bool(isDecided)),
      ("transform", .string(transform)),
    ]
  }

  var supportedMembers: [JSON.Member] {
    [("supported_interface_orientations", .array(supported.names.map(JSON.string)))]
  }

  private var holdMembers: [JSON.Member] {
    [
      ("suggested_interface_orientation", .integer(Int64(suggested.rawValue))),
      ("suggested_interface_orientation_name", .string(suggested.name)),
      ("effective_interface_orientations", .array(effective.names.map(JSON.string))),
      ("interface_orientation_holds", .array(holds.map(json))),
      ("followers", .array(followers.map(JSON.string))),
      ("other_sensor_proxy", otherSensorProxy.isEmpty ? .null : .string(otherSensorProxy)),
      ("responsiveness", responsiveness.map { .string($0.rawValue) } ?? .null),
      ("state_is_kept", .bool(isStateKept)),
    ]
  }

  private func json(_ hold: InterfaceOrientationHold) -> JSON {
    .object([
      ("hold", .integer(Int64(hold.number))),
      ("orientations", .array(hold.orientations.names.map(JSON.string))),
      ("application_id", .string(hold.application)), ("reason", .string(hold.reason)),
      ("owner", .string(hold.owner)), ("waits", .bool(hold.isWaiting)),
      ("since_usec", .integer(Int64(clamping: hold.sinceMicroseconds))),
    ])
  }

  var tabletModeMembers: [JSON.Member] {
    [
      ("tablet_mode", .string(tabletMode)), ("tablet_mode_source", .string(tabletModeSource)),
    ]
  }
}
