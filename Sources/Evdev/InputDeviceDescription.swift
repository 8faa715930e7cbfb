// SPDX-License-Identifier: Apache-2.0

// What a device can do is read from sysfs, which every user may read. Only a device that has one of our switches is opened: the
// keys of a keyboard must not become known to this process.

import CLinux

/// An input device (evdev) as sysfs shows it.
package struct InputDeviceDescription: Equatable, Sendable {
  /// The kernel's name of the device node, such as `event3`.
  package let id: String
  /// What the driver calls the device, such as `Intel HID switches`; empty if it has no name.
  package let name: String
  /// The device node, such as `/dev/input/event3`.
  package let path: String
  /// Those of our switches and keys that the device has.
  package let controls: InputControls

  /// Reads the description of a device; nil if there is none, or it is no evdev device.
  ///
  /// - Parameters:
  ///   - id: Such as `event3`.
  ///   - root: The folder that stands for "/".
  package init?(id: String, root: String = "") {
    guard isEventDevice(id) else { return nil }
    let directory = "\(root)/sys/class/input/\(id)/device"
    guard let switches = EventMask(parsing: firstLine(of: "\(directory)/capabilities/sw") ?? ""),
      let keys = EventMask(parsing: firstLine(of: "\(directory)/capabilities/key") ?? "")
    else { return nil }
    var controls: InputControls = []
    if switches.contains(InputSwitch.tabletMode.rawValue) { controls.insert(.tabletModeSwitch) }
    if switches.contains(InputSwitch.rotateLock.rawValue) { controls.insert(.rotateLockSwitch) }
    if keys.contains(UInt16(KEY_ROTATE_LOCK_TOGGLE)) { controls.insert(.rotateLockToggleKey) }
    self.id = id
    self.controls = controls
    path = "\(root)/dev/input/\(id)"
    name = firstLine(of: "\(directory)/name") ?? ""
  }

  /// Lists the ids of the present evdev devices.
  ///
  /// - Parameter root: The folder that stands for "/".
  /// - Returns: The ids, such as `event3`, in no order; none on a machine without input devices.
  package static func ids(root: String = "") -> [String] {
    guard let directory = opendir("\(root)/sys/class/input") else { return [] }
    defer { closedir(directory) }
    var ids: [String] = []
    while let entry = readdir(directory) {
      let id = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if isEventDevice(id) { ids.append(id) }
    }
    return ids
  }
}

/// Whether this names an evdev device, and not a file elsewhere.
private func isEventDevice(_ id: String) -> Bool {
  let prefix = "event"
  let digits = id.utf8.dropFirst(prefix.utf8.count)
  return id.hasPrefix(prefix) && (1...9).contains(digits.count)
    && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}
