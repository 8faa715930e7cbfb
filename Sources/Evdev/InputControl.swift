// SPDX-License-Identifier: Apache-2.0

// The switches and the key that concern the screen's rotation. Numbers: linux/input-event-codes.h.

/// A switch, which keeps its position.
package enum InputSwitch: UInt16, CaseIterable, Sendable {
  /// SW_TABLET_MODE: on while the device is folded or undocked to a tablet.
  case tabletMode = 0x01
  /// SW_ROTATE_LOCK: on while the user wants the picture not to rotate.
  case rotateLock = 0x0c
}

/// A set of switches and keys: those that a device has, those whose events are wanted, or the switches that are on.
package struct InputControls: OptionSet, Sendable {
  /// A bit for each control.
  package let rawValue: UInt8

  /// Creates a set of the controls that these bits stand for.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The switch SW_TABLET_MODE.
  package static let tabletModeSwitch = InputControls(rawValue: 1)
  /// The switch SW_ROTATE_LOCK.
  package static let rotateLockSwitch = InputControls(rawValue: 2)
  /// The key KEY_ROTATE_LOCK_TOGGLE: each press locks or unlocks the rotation.
  package static let rotateLockToggleKey = InputControls(rawValue: 4)
}

extension InputSwitch {
  /// The set of this switch alone.
  package var control: InputControls {
    switch self {
    case .tabletMode: .tabletModeSwitch
    case .rotateLock: .rotateLockSwitch
    }
  }
}
