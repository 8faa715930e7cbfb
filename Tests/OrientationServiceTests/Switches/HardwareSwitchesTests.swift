// SPDX-License-Identifier: Apache-2.0

import CFaults
import CLinux
import CMockInput
import Orientation
import Systemd
import Testing

@testable import OrientationService
@testable import SensorSetup

/// The capabilities of a device with the key KEY_ROTATE_LOCK_TOGGLE, as sysfs has them.
private let toggleKey = "2000000000000 0 0 0 0 0 0 0 0"

@Suite("The hardware's switches")
struct HardwareSwitchesTests {
  @Test("where they are at the start is told, locked and tablet if any says so")
  func start() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "1000", positions: 1 << 12)
    try rig.add("event1", switches: "1002", positions: 0)
    try rig.add("event2", switches: "2", positions: 1 << 1)
    #expect(try rig.start() == [.rotationLock(.locked), .tabletMode(.tablet)])
  }

  @Test("without a switch nothing is told, and other devices stay closed")
  func none() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "1", keys: "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe")
    try rig.add("event1", keys: toggleKey)
    #expect(try rig.start() == [])
    #expect(!rig.isListenedTo("event0"))
    #expect(rig.isListenedTo("event1"))
  }

  @Test("told to listen to the lock, it does, and says where the switch is; told not to, it does not")
  func reconfigured() throws {
    var without = Configuration()
    without.hardwareLock = .ignored
    for (before, after) in [(without, Configuration()), (Configuration(), without)] {
      let rig = try InputRig()
      try rig.add("event0", switches: "1002", positions: 1 << 12)
      try rig.add("event1", keys: toggleKey)
      #expect(try rig.start(before).last == .tabletMode(.laptop))
      #expect(rig.reconfigure(before) == [])
      #expect(rig.reconfigure(after) == (after == without ? [] : [.rotationLock(.locked)]))
      let press = try rig.send((EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 1), from: "event1")
      #expect(press == (after == without ? [] : [.rotationLockToggled]))
      #expect(try rig.send((EV_SW, SW_TABLET_MODE, 1), from: "event0") == [.tabletMode(.tablet)])
    }
  }

  @Test("each movement is told once, each press of the key too")
  func movements() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "1002")
    try rig.add("event1", keys: toggleKey)
    #expect(try rig.start() == [.rotationLock(.unlocked), .tabletMode(.laptop)])
    #expect(try rig.send((EV_SW, SW_TABLET_MODE, 1), from: "event0") == [.tabletMode(.tablet)])
    #expect(try rig.send((EV_SW, SW_TABLET_MODE, 1), from: "event0") == [])
    #expect(
      try rig.send((EV_SW, SW_ROTATE_LOCK, 1), (EV_SW, SW_TABLET_MODE, 0), from: "event0")
        == [.rotationLock(.locked), .tabletMode(.laptop)])
    let press = try rig.send(
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 1), (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 2),
      (EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 0), from: "event1")
    #expect(press == [.rotationLockToggled])
  }

  @Test("of two switches for the lock, the one that moved last decides")
  func lastMoved() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "1000", positions: 1 << 12)
    try rig.add("event1", switches: "1000")
    #expect(try rig.start() == [.rotationLock(.locked)])
    #expect(try rig.send((EV_SW, SW_ROTATE_LOCK, 1), from: "event1") == [.rotationLock(.locked)])
    #expect(try rig.send((EV_SW, SW_ROTATE_LOCK, 0), from: "event1") == [.rotationLock(.unlocked)])
  }

  @Test("a device that comes later is listened to, and where its switches are is told")
  func appears() throws {
    let rig = try InputRig()
    try rig.start()
    try rig.add("event0", switches: "1002", positions: 1 << 12)
    #expect(rig.tellUdev(.add, of: "input4") == [])
    #expect(rig.tellUdev(.add, of: "event0") == [.rotationLock(.locked), .tabletMode(.laptop)])
    #expect(rig.tellUdev(.change, of: "event0") == [])
    #expect(try rig.send((EV_SW, SW_TABLET_MODE, 1), from: "event0") == [.tabletMode(.tablet)])
  }

  @Test("the mode is unknown after the last switch has gone, and the lock stays as it was")
  func vanishes() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "1002", positions: 1 << 1)
    #expect(try rig.start() == [.rotationLock(.unlocked), .tabletMode(.tablet)])
    try rig.remove("event0")
    #expect(rig.tellUdev(.remove, of: "event0") == [.tabletMode(.unknown)])
    #expect(try rig.turn() == [])
    try rig.add("event0", switches: "2", positions: 1 << 1)
    #expect(rig.tellUdev(.add, of: "event0") == [.tabletMode(.tablet)])
  }

  @Test("a device that is gone before udev says so is let go at once, and not read for ever")
  func vanishesFirst() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "2")
    try rig.start()
    try rig.remove("event0")
    #expect(try rig.turn() == [.tabletMode(.unknown)])
    #expect(rig.tellUdev(.remove, of: "event0") == [])
  }

  @Test("a switch of one device that goes leaves the others' word")
  func oneOfTwoVanishes() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "2", positions: 1 << 1)
    try rig.add("event1", switches: "2")
    #expect(try rig.start() == [.tabletMode(.tablet)])
    try rig.remove("event0")
    #expect(rig.tellUdev(.remove, of: "event0") == [.tabletMode(.laptop)])
  }

  @Test("with HardwareLock=no, the lock's switch and key are not even asked for, and the mode is served")
  func withoutLock() throws {
    let rig = try InputRig()
    var configuration = Configuration()
    configuration.hardwareLock = .ignored
    try rig.add("event0", switches: "1002", positions: 1 << 12)
    try rig.add("event1", switches: "1000", keys: toggleKey, positions: 1 << 12)
    #expect(try rig.start(configuration) == [.tabletMode(.laptop)])
    #expect(!rig.isListenedTo("event1"))
    #expect(mock_input_mask(rig.path("event0"), UInt32(EV_SW), 0) == 1 << 1)
    #expect(
      try rig.send((EV_SW, SW_ROTATE_LOCK, 0), (EV_SW, SW_TABLET_MODE, 1), from: "event0")
        == [.tabletMode(.tablet)])
  }

  @Test(
    "the key is the desktop's with SensorProxy=yes, and else ours, unless the configuration says whose; the switch is ours",
    arguments: [
      (HardwareLock.automatic, false, true), (.automatic, true, false), (.switchAndKey, true, true),
      (.switchOnly, false, false), (.switchOnly, true, false),
    ])
  func whoseKey(hardwareLock: HardwareLock, sensorProxy: Bool, isOurs: Bool) throws {
    let rig = try InputRig()
    var configuration = Configuration()
    configuration.hardwareLock = hardwareLock
    configuration.sensorProxy = sensorProxy
    try rig.add("event0", switches: "1000", positions: 1 << 12)
    try rig.add("event1", keys: toggleKey)
    #expect(try rig.start(configuration) == [.rotationLock(.locked)])
    #expect(rig.isListenedTo("event1") == isOurs)
    let press = try rig.send((EV_KEY, KEY_ROTATE_LOCK_TOGGLE, 1), from: "event1")
    #expect(press == (isOurs ? [.rotationLockToggled] : []))
    #expect(try rig.send((EV_SW, SW_ROTATE_LOCK, 0), from: "event0") == [.rotationLock(.unlocked)])
  }

  @Test("a reload with another SensorProxy=, which the next start uses, does not change whose the key is")
  func sensorProxyReloaded() throws {
    var proxy = Configuration()
    proxy.sensorProxy = true
    for (running, reloaded) in [(Configuration(), proxy), (proxy, Configuration())] {
      let rig = try InputRig()
      try rig.add("event0", keys: toggleKey)
      try rig.start(running)
      _ = rig.reconfigure(reloaded)
      #expect(rig.isListenedTo("event0") == !running.sensorProxy)
    }
  }

  @Test("with TabletModeSwitch=no, the mode is unknown, also after a reload, and the lock is served")
  func withoutTabletMode() throws {
    let rig = try InputRig()
    var configuration = Configuration()
    configuration.tabletModeSwitch = false
    try rig.add("event0", switches: "1002", positions: 1 << 1 | 1 << 12)
    try rig.add("event1", switches: "2", positions: 1 << 1)
    #expect(try rig.start(configuration) == [.rotationLock(.locked)])
    #expect(!rig.isListenedTo("event1"))
    #expect(rig.reconfigure(Configuration()) == [.rotationLock(.locked), .tabletMode(.tablet)])
    #expect(rig.reconfigure(configuration) == [.rotationLock(.locked), .tabletMode(.unknown)])
  }

  @Test("after the kernel dropped events, only what differs is told")
  func dropped() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "1002")
    try rig.start()
    mock_input_set_switches(rig.path("event0"), 1 << 1)
    #expect(
      try rig.send((EV_SYN, SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0), from: "event0")
        == [.tabletMode(.tablet)])
  }

  @Test("not more than 16 devices are opened")
  func limit() throws {
    let rig = try InputRig()
    for number in 0..<20 { try rig.add("event\(number)", switches: "2") }
    try rig.start()
    #expect((0..<20).filter { rig.isListenedTo("event\($0)") }.count == HardwareSwitches.deviceLimit)
  }

  @Test("a device that may not be opened is passed over, and used once it may")
  func denied() async {
    await #expect(processExitsWith: .success) {
      let rig = try InputRig()
      try rig.add("event0", switches: "2", positions: 1 << 1)
      try rig.add("event1", switches: "1000", positions: 1 << 12)
      faults_set_open("/dev/input/event0", EACCES)
      #expect(try rig.start() == [.rotationLock(.locked)])
      #expect(rig.tellUdev(.change, of: "event0") == [])
      faults_set_open("", 0)
      #expect(rig.tellUdev(.change, of: "event0") == [.tabletMode(.tablet)])
    }
  }

  @Test("a device that cannot be listened to leaves the others")
  func failing() throws {
    let rig = try InputRig()
    try rig.add("event0", switches: "2", positions: 1 << 1)
    try rig.add("event1", switches: "2")
    mock_input_fail(rig.path("event0"), EIO)
    #expect(try rig.start() == [.tabletMode(.laptop)])
    mock_input_fail(rig.path("event0"), 0)
    #expect(rig.tellUdev(.change, of: "event0") == [.tabletMode(.tablet)])
  }
}
