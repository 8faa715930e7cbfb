// SPDX-License-Identifier: Apache-2.0

// Combines the switches of several input devices. Some machines have two for the tablet mode, such as one at the hinge and one at
// the keyboard dock: folded over or taken off, the machine is a tablet either way.

import Evdev
import Orientation

/// The positions of all switches that are in use.
struct SwitchBoard {
  private struct Entry {
    let id: String
    let controls: InputControls
    var positions: SwitchPositions
  }

  private var entries: [Entry] = []

  /// Adds a device, with the positions of its switches.
  mutating func add(_ id: String, controls: InputControls, positions: SwitchPositions) {
    remove(id)
    entries.append(Entry(id: id, controls: controls, positions: positions))
  }

  /// Removes a device.
  mutating func remove(_ id: String) {
    entries.removeAll { $0.id == id }
  }

  /// Sets the position of a device's switch; false if it had that position before.
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

  /// On if it is on on any device; nil if no device has it.
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
