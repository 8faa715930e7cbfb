// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Evdev

/// A folder that stands for "/".
private final class Root {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }

  func write(_ text: String, to name: String) throws {
    try folder.write(text, to: "sys/class/input/\(name)")
  }

  func add(_ id: String, name: String = "a device", switches: String = "0", keys: String = "0") throws {
    try write(name + "\n", to: "\(id)/device/name")
    try write(switches + "\n", to: "\(id)/device/capabilities/sw")
    try write(keys + "\n", to: "\(id)/device/capabilities/key")
  }
}

@Suite("Input devices in sysfs")
struct InputDeviceDescriptionTests {
  @Test(
    "the controls are those of our three that the device has",
    arguments: [
      ("0", "0", []), ("2", "0", .tabletModeSwitch), ("1000", "0", .rotateLockSwitch),
      ("0", "2000000000000 0 0 0 0 0 0 0 0", .rotateLockToggleKey),
      (
        "1003", "2000000000000 0 0 0 0 0 1c0a820 c0010008000000 ff9f207ac14057ff",
        [.tabletModeSwitch, .rotateLockSwitch, .rotateLockToggleKey]
      ),
      ("1", "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe", []),
    ] as [(String, String, InputControls)])
  func controls(switches: String, keys: String, controls: InputControls) throws {
    let root = try Root()
    try root.add("event3", name: "Intel HID switches", switches: switches, keys: keys)
    let device = try #require(InputDeviceDescription(id: "event3", root: root.path))
    #expect(device.controls == controls)
    #expect(device.name == "Intel HID switches")
    #expect(device.path == "\(root.path)/dev/input/event3")
  }

  @Test("a device that does not tell its capabilities, or tells nonsense, is none")
  func malformed() throws {
    let root = try Root()
    try root.write("2\n", to: "event1/device/capabilities/sw")
    try root.add("event2", switches: "many")
    try root.add("event3", switches: "2", keys: "")
    for id in ["event0", "event1", "event2", "event3"] {
      #expect(InputDeviceDescription(id: id, root: root.path) == nil)
    }
  }

  @Test("devices are named after their nodes; what else lies there is left alone")
  func ids() throws {
    let root = try Root()
    #expect(InputDeviceDescription.ids(root: root.path).isEmpty)
    for id in ["event0", "event12", "input5", "mouse0", "js0", "events", "event", "event1x"] {
      try root.add(id, switches: "2")
    }
    #expect(InputDeviceDescription.ids(root: root.path).sorted() == ["event0", "event12"])
    for id in ["input5", "mouse0", "events", "event", "event1x", "../input/event0", "event0/../event0", ""] {
      #expect(InputDeviceDescription(id: id, root: root.path) == nil)
    }
  }
}
