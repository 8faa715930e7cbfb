// SPDX-License-Identifier: Apache-2.0

import Evdev
import Orientation
import Testing

@testable import OrientationService

private let (tabletOn, lockOn) = (SwitchPositions(bits: 1 << 1), SwitchPositions(bits: 1 << 12))

@Suite("The switches together")
struct SwitchBoardTests {
  @Test("without a switch, the mode is unknown and the lock nobody's")
  func none() {
    var board = SwitchBoard()
    #expect(board.tabletMode == .unknown)
    #expect(board.rotationLock == nil)
    board.add("event0", controls: .rotateLockToggleKey, positions: SwitchPositions())
    #expect(board.tabletMode == .unknown)
    #expect(board.rotationLock == nil)
  }

  @Test("it is a tablet if any switch says so, and unknown again once the last switch has gone")
  func tablet() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, positions: SwitchPositions())
    #expect(board.tabletMode == .laptop)
    board.add("event1", controls: .tabletModeSwitch, positions: tabletOn)
    #expect(board.tabletMode == .tablet)
    _ = board.move(.tabletMode, of: "event0", to: .on)
    _ = board.move(.tabletMode, of: "event1", to: .off)
    #expect(board.tabletMode == .tablet)
    board.remove("event0")
    #expect(board.tabletMode == .laptop)
    board.remove("event1")
    #expect(board.tabletMode == .unknown)
  }

  @Test("it is locked if any switch says so")
  func locked() {
    var board = SwitchBoard()
    board.add("event0", controls: .rotateLockSwitch, positions: lockOn)
    board.add("event1", controls: [.rotateLockSwitch, .tabletModeSwitch], positions: SwitchPositions())
    #expect(board.rotationLock == .locked)
    _ = board.move(.rotateLock, of: "event0", to: .off)
    #expect(board.rotationLock == .unlocked)
    #expect(board.tabletMode == .laptop)
  }

  @Test("a switch that is not listened to says nothing, wherever it is")
  func unheeded() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, positions: lockOn)
    #expect(board.rotationLock == nil)
  }

  @Test("a switch that is there already has not moved, nor has one of an unknown device")
  func still() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, positions: tabletOn)
    let moved = [
      board.move(.tabletMode, of: "event0", to: .on), board.move(.tabletMode, of: "event1", to: .on),
      board.move(.tabletMode, of: "event0", to: .off), board.move(.tabletMode, of: "event0", to: .off),
    ]
    #expect(moved == [false, false, true, false])
  }

  @Test("a device added again is where it is now")
  func again() {
    var board = SwitchBoard()
    board.add("event0", controls: .tabletModeSwitch, positions: tabletOn)
    board.add("event0", controls: .tabletModeSwitch, positions: SwitchPositions())
    #expect(board.tabletMode == .laptop)
  }
}
