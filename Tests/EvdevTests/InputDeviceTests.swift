// SPDX-License-Identifier: Apache-2.0

import CFaults
import CLinux
import CMockInput
import Foundation
import Testing

@testable import Evdev

/// A device of our own, whose events a test writes.
private final class Device {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("input-\(UUID())").path
  private(set) var writing: CInt

  init(switches: UInt = 0) throws {
    writing = mock_input_create(path)
    try #require(writing >= 0)
    mock_input_set_switches(path, switches)
  }

  deinit {
    unplug()
    unlink(path)
  }

  func send(_ events: (type: Int32, code: Int32, value: Int32)...) {
    for event in events {
      var event = input_event(
        time: timeval(), type: UInt16(event.type), code: UInt16(event.code), value: event.value)
      let count = write(writing, &event, MemoryLayout<input_event>.size)
      #expect(count == MemoryLayout<input_event>.size)
    }
  }

  func unplug() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}

private let all: InputControls = [.tabletModeSwitch, .rotateLockSwitch, .rotateLockToggleKey]

extension InputDevice {
  fileprivate borrowing func events() throws(InputDeviceError) -> [InputEvent] {
    var events: [InputEvent] = []
    try readEvents { events.append($0) }
    return events
  }
}

@Suite("An input device")
struct InputDeviceTests {
  @Test("switches are told as they move, in order, and the key when it is pressed only")
  func events() throws {
    let device = try Device()
    let input = try InputDevice(path: device.path, listeningTo: all)
    #expect(try input.events() == [])
    device.send(
      (EV_SW, SW_TABLET_MODE, 1), (EV_SYN, SYN_REPORT, 0),
      (EV_SW, SW_ROTATE_LOCK, 1), (EV_SW, SW_TABLET_MODE, 0), (EV_SYN, SYN_REPORT, 0),
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 1), (EV_SYN, SYN_REPORT, 0),
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 2), (EV_SYN, SYN_REPORT, 1),
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 0), (EV_SYN, SYN_REPORT, 0))
    #expect(
      try input.events() == [
        .switched(.tabletMode, isOn: true), .switched(.rotateLock, isOn: true),
        .switched(.tabletMode, isOn: false),
        .pressedRotateLockToggle,
      ])
    #expect(try input.events() == [])
  }

  @Test("other switches and keys, and controls that nobody listens to, are not told")
  func others() throws {
    let device = try Device()
    let input = try InputDevice(path: device.path, listeningTo: .tabletModeSwitch)
    device.send(
      (EV_KEY, KEY_A, 1), (EV_SW, SW_LID, 1), (EV_MSC, MSC_SCAN, 1), (EV_SW, SW_ROTATE_LOCK, 1),
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 1), (EV_ABS, SW_TABLET_MODE, 1), (EV_SW, SW_TABLET_MODE, 1))
    #expect(try input.events() == [.switched(.tabletMode, isOn: true)])
  }

  @Test("the kernel is asked for the controls listened to and for nothing else")
  func masks() throws {
    for controls in [all, .tabletModeSwitch, .rotateLockSwitch, .rotateLockToggleKey, []] {
      let device = try Device()
      let input = try InputDevice(path: device.path, listeningTo: controls)
      var (types, switches, key) = (UInt(0), UInt(0), UInt(0))
      if controls.contains(.tabletModeSwitch) { (types, switches) = (1 << 5, 1 << 1) }
      if controls.contains(.rotateLockSwitch) { (types, switches) = (1 << 5, switches | 1 << 12) }
      if controls.contains(.rotateLockToggleKey) { (types, key) = (types | 1 << 1, 1 << (0x231 % 64)) }
      #expect(mock_input_mask(device.path, 0, 0) == types)
      #expect(mock_input_mask(device.path, UInt32(EV_SW), 0) == switches)
      for code in 0..<768 {
        let word = mock_input_mask(device.path, UInt32(EV_KEY), UInt32(code))
        #expect(word == (code / 64 == 0x231 / 64 ? key : 0))
      }
      _ = consume input
    }
  }

  @Test("the switches that are on are told on asking", arguments: [0, 0x0002, 0x1000, 0x1003])
  func on(bits: UInt) throws {
    let device = try Device(switches: bits)
    let input = try InputDevice(path: device.path, listeningTo: all)
    let on = try input.switchesOn()
    #expect(on.contains(.tabletModeSwitch) == (bits & 0x2 != 0))
    #expect(on.contains(.rotateLockSwitch) == (bits & 0x1000 != 0))
  }

  @Test("after the kernel dropped events, the switches are asked anew, and keys still count")
  func dropped() throws {
    let device = try Device(switches: 0x1000)
    let input = try InputDevice(path: device.path, listeningTo: all)
    device.send(
      (EV_SW, SW_TABLET_MODE, 1), (EV_SYN, SYN_DROPPED, 0), (EV_SW, SW_ROTATE_LOCK, 0),
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 1), (EV_SW, SW_TABLET_MODE, 1), (EV_SYN, SYN_REPORT, 0))
    #expect(
      try input.events() == [
        .switched(.tabletMode, isOn: true), .pressedRotateLockToggle,
        .switched(.tabletMode, isOn: false), .switched(.rotateLock, isOn: true),
      ])
    #expect(try input.events() == [])
  }

  @Test("a flood is read in batches")
  func flood() throws {
    let device = try Device()
    let input = try InputDevice(path: device.path, listeningTo: all)
    for value in 0..<Int32(3 * 64) { device.send((EV_SW, SW_TABLET_MODE, value % 2)) }
    for _ in 0..<3 { #expect(try input.events().count == 64) }
    #expect(try input.events().isEmpty)
  }

  @Test("a device that is unplugged is an error")
  func vanished() throws {
    let device = try Device()
    let input = try InputDevice(path: device.path, listeningTo: all)
    faults_set(input.fileDescriptor, ENODEV)
    defer { faults_set(input.fileDescriptor, 0) }
    #expect(throws: InputDeviceError.vanished(path: device.path)) { try input.events() }
  }

  @Test("a device whose file ends is gone too, rather than read for ever")
  func ended() throws {
    let device = try Device()
    let input = try InputDevice(path: device.path, listeningTo: all)
    device.unplug()
    #expect(throws: InputDeviceError.vanished(path: device.path)) { try input.events() }
  }

  @Test("a device that is not there cannot be opened")
  func absent() {
    #expect(throws: InputDeviceError.vanished(path: "/dev/input/nonsense")) {
      _ = try InputDevice(path: "/dev/input/nonsense", listeningTo: all)
    }
  }

  @Test("where the kernel does not filter, the device is not used, and closed again")
  func withoutFilter() throws {
    let device = try Device()
    mock_input_fail(device.path, EINVAL)
    #expect(throws: InputDeviceError.system(operation: "EVIOCSMASK", path: device.path, code: EINVAL)) {
      _ = try InputDevice(path: device.path, listeningTo: all)
    }
    device.unplug()
    // A FIFO that nobody reads refuses who would write.
    #expect(open(device.path, O_WRONLY | O_NONBLOCK) == -1)
    #expect(CLinux.errno == ENXIO)
  }

  @Test("a device that this user may not open is told so")
  func denied() async {
    await #expect(processExitsWith: .success) {
      let device = try Device()
      faults_set_open(device.path, EACCES)
      #expect(throws: InputDeviceError.permissionDenied(path: device.path)) {
        _ = try InputDevice(path: device.path, listeningTo: all)
      }
    }
  }
}
