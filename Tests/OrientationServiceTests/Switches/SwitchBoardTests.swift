// SPDX-License-Identifier: Apache-2.0

import Evdev
import Orientation
import Testing

@testable import OrientationService

private let (tabletOn, lockOn) = (InputControls.tabletModeSwitch, InputControls.rotateLockSwitch)

@Suite("The switches together")
struct SwitchBoardTests {
  @Test("without a switch, the mode is unknown and the lock nobody's")
  func none() {
    var board = SwitchBoard()
    #expect(board.tabletMode == .unknown)
    #expect(board.rotationLock == nil)
    board.add("event0", controls: .rotateLockToggleKey, on: [])
    #expect(board.tabletMode == .unknown)
    #expect(board.rotationLock == nil)
  }

  @Test("it is a tablet if any switch says so, and unknown again once the last switch has gone")
  func tablet() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, on: [])
    #expect(board.tabletMode == .laptop)
    board.add("event1", controls: .tabletModeSwitch, on: tabletOn)
    #expect(board.tabletMode == .tablet)
    _ = board.move(.tabletMode, of: "event0", isOn: true)
    _ = board.move(.tabletMode, of: "event1", isOn: false)
    #expect(board.tabletMode == .tablet)
    board.remove("event0")
    #expect(board.tabletMode == .laptop)
    board.remove("event1")
    #expect(board.tabletMode == .unknown)
  }

  @Test("it is locked if any switch says so")
  func locked() {
    var board = SwitchBoard()
    board.add("event0", controls: .rotateLockSwitch, on: lockOn)
    board.add("event1", controls: [.rotateLockSwitch, .tabletModeSwitch], on: [])
    #expect(board.rotationLock == .locked)
    _ = board.move(.rotateLock, of: "event0", isOn: false)
    #expect(board.rotationLock == .unlocked)
    #expect(board.tabletMode == .laptop)
  }

  @Test("a switch that is not listened to says nothing, wherever it is")
  func unheeded() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, on: lockOn)
    #expect(board.rotationLock == nil)
  }

  @Test("a switch that is there already has not moved, nor has one of an unknown device")
  func still() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, on: tabletOn)
    let moved = [
      board.move(.tabletMode, of: "event0", isOn: true), board.move(.tabletMode, of: "event1", isOn: true),
      board.move(.tabletMode, of: "event0", isOn: false), board.move(.tabletMode, of: "event0", isOn: false),
    ]
    #expect(moved == [false, false, true, false])
  }

  @Test("a device added again is where it is now")
  func again() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, on: tabletOn)
    board.add("event0", controls: .tabletModeSwitch, on: [])
    #expect(board.tabletMode == .laptop)
  }
}
