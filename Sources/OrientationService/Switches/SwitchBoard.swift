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
    /// Its switches that are on.
    var on: InputControls
  }

  private var entries: [Entry] = []

  /// Adds a device, with those of its switches that are on.
  mutating func add(_ id: String, controls: InputControls, on: InputControls) {
    remove(id)
    entries.append(Entry(id: id, controls: controls, on: on))
  }

  /// Removes a device.
  mutating func remove(_ id: String) {
    entries.removeAll { $0.id == id }
  }

  /// Takes in that a device's switch is on or off; false if it was so before.
  mutating func move(_ inputSwitch: InputSwitch, of id: String, isOn: Bool) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    let control = inputSwitch.control
    return isOn ? entries[index].on.insert(control).inserted : entries[index].on.remove(control) != nil
  }

  /// Tablet if any switch says so; unknown without a switch.
  var tabletMode: TabletMode {
    switch isOn(.tabletModeSwitch) {
    case true?: .tablet
    case false?: .laptop
    case nil: .unknown
    }
  }

  /// Locked if any switch says so; nil without a switch.
  var rotationLock: RotationLock? {
    isOn(.rotateLockSwitch).map { RotationLock(isSwitchOn: $0) }
  }

  /// Whether a switch is on on any device; nil if no device has it.
  private func isOn(_ control: InputControls) -> Bool? {
    let devices = entries.filter { $0.controls.contains(control) }
    return devices.isEmpty ? nil : devices.contains { $0.on.contains(control) }
  }
}

extension RotationLock {
  /// The lock as a switch for it (SW_ROTATE_LOCK) says.
  init(isSwitchOn isOn: Bool) { self = isOn ? .locked : .unlocked }
}
