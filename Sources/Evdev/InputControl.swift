// SPDX-License-Identifier: Apache-2.0

// The switches and keys that concern the screen's rotation. Numbers: linux/input-event-codes.h.

/// A switch, which keeps its position.
package enum InputSwitch: UInt16, CaseIterable, Sendable {
  /// SW_TABLET_MODE: on while the device is folded or undocked to a tablet.
  case tabletMode = 0x01
  /// SW_ROTATE_LOCK: on while the user wants the picture not to rotate.
  case rotateLock = 0x0c
}

/// A key, which is pressed and released.
package enum InputKey: UInt16, CaseIterable, Sendable {
  /// KEY_ROTATE_LOCK_TOGGLE: each press locks or unlocks the rotation.
  case rotateLockToggle = 0x231
}

/// The position of a switch.
package enum SwitchPosition: Equatable, Sendable {
  /// The value 0.
  case off
  /// The value 1.
  case on
}

/// A set of switches and keys: those that a device has, or those whose events are wanted.
package struct InputControls: OptionSet, Sendable {
  /// A bit for each control.
  package let rawValue: UInt8

  /// Creates a set of the controls that these bits stand for.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The switch SW_TABLET_MODE.
  package static let tabletModeSwitch = InputControls(rawValue: 1)
  /// The switch SW_ROTATE_LOCK.
  package static let rotateLockSwitch = InputControls(rawValue: 2)
  /// The key KEY_ROTATE_LOCK_TOGGLE.
  package static let rotateLockToggleKey = InputControls(rawValue: 4)

  /// Whether this switch is among them.
  package func contains(_ inputSwitch: InputSwitch) -> Bool {
    switch inputSwitch {
    case .tabletMode: contains(.tabletModeSwitch)
    case .rotateLock: contains(.rotateLockSwitch)
    }
  }

  /// Whether this key is among them.
  package func contains(_ key: InputKey) -> Bool {
    switch key {
    case .rotateLockToggle: contains(.rotateLockToggleKey)
    }
  }
}

/// The positions of a device's switches.
package struct SwitchPositions: Equatable, Sendable {
  /// Bit n is set if switch n is on, as with EVIOCGSW.
  private var bits: UInt

  /// Creates the positions from the first word of EVIOCGSW; by default all are off.
  package init(bits: UInt = 0) { self.bits = bits }

  /// The position of a switch; off if the device has no such switch.
  package subscript(inputSwitch: InputSwitch) -> SwitchPosition {
    get { bits & inputSwitch.bit == 0 ? .off : .on }
    set { bits = newValue == .on ? bits | inputSwitch.bit : bits & ~inputSwitch.bit }
  }
}

extension InputSwitch {
  fileprivate var bit: UInt { 1 << UInt(rawValue) }
}
