// SPDX-License-Identifier: Apache-2.0

// What the switches of several devices say together. Some devices have two for the tablet mode, such as one at the hinge
// and one at the keyboard dock: folded over or taken off, it is a tablet either way.

import Evdev
import Orientation

/// The positions of all switches that are listened to.
struct SwitchBoard {
  private struct Entry {
    let id: String
    let controls: InputControls
    var positions: SwitchPositions
  }

  private var entries: [Entry] = []

  /// Takes a device on, with where its switches are.
  mutating func add(_ id: String, controls: InputControls, positions: SwitchPositions) {
    remove(id)
    entries.append(Entry(id: id, controls: controls, positions: positions))
  }

  /// Forgets a device.
  mutating func remove(_ id: String) {
    entries.removeAll { $0.id == id }
  }

  /// Takes in where a switch of a device is now; false where it was there before.
  mutating func move(_ inputSwitch: InputSwitch, of id: String, to position: SwitchPosition) -> Bool {
    for index in entries.indices where entries[index].id == id {
      guard entries[index].positions[inputSwitch] != position else { return false }
      entries[index].positions[inputSwitch] = position
      return true
    }
    return false
  }

  /// Tablet if any switch says so; unknown without a switch.
  var tabletMode: TabletMode {
    switch position(of: .tabletMode) {
    case .on: .tablet
    case .off: .laptop
    case nil: .unknown
    }
  }

  /// Locked if any switch says so; nil without a switch.
  var rotationLock: RotationLock? {
    position(of: .rotateLock).map { RotationLock($0) }
  }

  /// On if it is on on any device; nil where none has it.
  private func position(of inputSwitch: InputSwitch) -> SwitchPosition? {
    var position: SwitchPosition?
    for entry in entries where entry.controls.contains(inputSwitch) {
      if entry.positions[inputSwitch] == .on { return .on }
      position = .off
    }
    return position
  }
}

extension RotationLock {
  /// The lock as a switch for it (SW_ROTATE_LOCK) says.
  init(_ position: SwitchPosition) { self = position == .on ? .locked : .unlocked }
}
