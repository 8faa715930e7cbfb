// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

/// An interface on a portrait panel whose device is held so.
private func screen(
  on device: DeviceOrientation, chosen: InterfaceOrientation? = nil,
  supported: InterfaceOrientationMask = .all, lock: RotationLock = .unlocked
) -> ScreenOrientation {
  var screen = ScreenOrientation(home: .portrait, chosen: chosen, supported: supported, lock: lock)
  screen.deviceTurned(to: device)
  return screen
}

private let upright: [DeviceOrientation] = [.portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight]
private let interfaces: [InterfaceOrientation] = [
  .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight,
]

@Suite("Following the device")
struct FollowingTests {
  @Test(
    "unlocked, the interface takes the counterpart of the device's upright orientation", arguments: upright)
  func counterpart(device: DeviceOrientation) {
    #expect(screen(on: device).current == InterfaceOrientation(uprightOn: device))
  }

  @Test(
    "faceUp, faceDown and unknown leave it alone",
    arguments: [.faceUp, .faceDown, .unknown] as [DeviceOrientation])
  func flat(device: DeviceOrientation) {
    var screen = screen(on: .landscapeLeft)
    screen.deviceTurned(to: device)
    #expect(screen.current == .landscapeRight)
  }

  @Test("an orientation that is not supported is not followed")
  func notSupported() {
    var screen = screen(on: .portrait, supported: .allButUpsideDown)
    screen.deviceTurned(to: .portraitUpsideDown)
    #expect(screen.current == .portrait)
  }

  @Test("an attempt to rotate takes the device's orientation, also where another was chosen by hand")
  func attempt() throws {
    var screen = screen(on: .landscapeLeft)
    try screen.rotate(to: .portrait)
    #expect(HeldOrientation(screen).deviceCounterpart == .landscapeRight)
    screen.attemptRotationToDevice()
    #expect(screen.current == .landscapeRight)
    #expect(screen.lasting == nil)
  }

  @Test("an attempt to rotate does nothing for a flat device, one that is not supported, and while locked")
  func vainAttempts() throws {
    for (device, mask, lock) in [
      (.faceUp, .all, .unlocked), (.portraitUpsideDown, .allButUpsideDown, .unlocked),
      (.landscapeLeft, .all, .locked),
    ] as [(DeviceOrientation, InterfaceOrientationMask, RotationLock)] {
      var screen = screen(on: device, supported: mask, lock: lock)
      try screen.rotate(to: .landscapeLeft)
      screen.attemptRotationToDevice()
      #expect(screen.current == .landscapeLeft)
    }
  }
}

@Suite("Rotating by hand")
struct ManualRotationTests {
  @Test("it works from everywhere to everywhere, locked or not", arguments: [RotationLock.locked, .unlocked])
  func everywhere(lock: RotationLock) throws {
    for device in upright + [.faceUp, .unknown] {
      for orientation in interfaces {
        var screen = screen(on: device, lock: lock)
        try screen.rotate(to: orientation)
        #expect(screen.current == orientation)
      }
    }
  }

  @Test(
    "to the orientation that the device has already, after it went elsewhere and back, one call is enough")
  func knownBug() throws {
    var screen = screen(on: .portrait)
    screen.set(.locked)
    try screen.rotate(to: .landscapeLeft)
    screen.deviceTurned(to: .landscapeRight)
    screen.deviceTurned(to: .portrait)
    #expect(screen.current == .landscapeLeft)
    try screen.rotate(to: .portrait)
    #expect(screen.current == .portrait)
  }

  @Test(
    "it holds until the device is turned to another upright orientation, not while it lies down or sleeps")
  func holds() throws {
    var screen = screen(on: .portrait)
    try screen.rotate(to: .landscapeLeft)
    for device in [.faceUp, .portrait, .unknown, .portrait] as [DeviceOrientation] {
      screen.deviceTurned(to: device)
      #expect(screen.current == .landscapeLeft)
    }
    screen.deviceTurned(to: .landscapeLeft)
    #expect(screen.current == .landscapeRight)
    screen.deviceTurned(to: .portrait)
    #expect(screen.current == .portrait)
  }

  @Test("to an orientation that is not supported it is refused with those that are, and nothing changes")
  func refused() {
    var screen = screen(on: .portrait, supported: .allButUpsideDown)
    let before = screen
    #expect(throws: UnsupportedOrientation.notSupported(.allButUpsideDown)) {
      try screen.rotate(to: .portraitUpsideDown)
    }
    #expect(throws: UnsupportedOrientation.notSupported(.allButUpsideDown)) {
      try screen.rotate(to: .unknown)
    }
    #expect(screen == before)
  }
}

@Suite("The rotation lock on the interface")
struct InterfaceLockTests {
  @Test("locked, no turn of the device moves it; unlocked, it takes where the device is now")
  func holds() {
    var screen = screen(on: .portrait)
    screen.set(.locked)
    for device in upright { screen.deviceTurned(to: device) }
    #expect(screen.current == .portrait)
    screen.set(.unlocked)
    #expect(screen.current == .landscapeLeft)
  }

  @Test("taken in landscape, it stays in landscape")
  func landscape() {
    var screen = screen(on: .landscapeLeft)
    screen.set(.locked)
    screen.deviceTurned(to: .portrait)
    #expect(screen.current == .landscapeRight)
    #expect(screen.lasting == .landscapeRight)
  }

  @Test("unlocked over a flat device, it stays and follows the next upright orientation")
  func unlockedFlat() throws {
    var screen = screen(on: .portrait, lock: .locked)
    try screen.rotate(to: .landscapeLeft)
    screen.deviceTurned(to: .faceUp)
    screen.set(.unlocked)
    #expect(screen.current == .landscapeLeft)
    screen.deviceTurned(to: .portrait)
    #expect(screen.current == .portrait)
  }
}

@Suite("Supported orientations")
struct SupportedOrientationsTests {
  @Test("an empty mask is refused and nothing changes")
  func empty() {
    var screen = screen(on: .landscapeLeft)
    let before = screen
    #expect(throws: UnsupportedOrientation.empty) { try screen.support([]) }
    #expect(screen == before)
  }

  @Test(
    "a mask without the current one moves to the first in the order portrait, landscapeLeft, Right, upside down"
  )
  func first() throws {
    for bits in UInt32(1)..<16 {
      let mask = InterfaceOrientationMask(rawValue: bits << 1)
      for orientation in interfaces {
        var screen = ScreenOrientation(home: .portrait, chosen: orientation)
        try screen.support(mask)
        let order: [InterfaceOrientation] = [.portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown]
        let expected = mask.contains(orientation) ? orientation : order.first { mask.contains($0) }
        #expect(screen.current == expected)
        #expect(mask.contains(screen.current))
      }
    }
  }

  @Test("it moves a locked interface too, which must not stay as it is")
  func locked() throws {
    var screen = screen(on: .landscapeLeft)
    screen.set(.locked)
    try screen.support(.portrait)
    #expect(screen.current == .portrait)
    try screen.support(.all)
    #expect(screen.current == .portrait)
  }

  @Test("an interface that was kept from following the device follows once it may")
  func mayFollow() throws {
    var screen = screen(on: .landscapeLeft, supported: .portrait)
    #expect(screen.current == .portrait)
    try screen.support(.all)
    #expect(screen.current == .landscapeRight)
  }

  @Test("another mask that the interface and its device fit leaves one chosen by hand alone")
  func chosenStays() throws {
    var screen = screen(on: .portrait)
    try screen.rotate(to: .landscapeLeft)
    try screen.support(.allButUpsideDown)
    #expect(screen.current == .landscapeLeft)
  }
}

@Suite("The start")
struct ScreenStartTests {
  @Test("without a choice it is the natural orientation, and the device's first upright one is followed")
  func natural() {
    var screen = ScreenOrientation(home: .landscapeRight)
    #expect(screen.current == .landscapeRight)
    screen.deviceTurned(to: .portrait)
    #expect(screen.current == .portrait)
  }

  @Test(
    "a choice is not overridden by how the tablet happens to be held then, but by its next turn",
    arguments: upright)
  func chosen(device: DeviceOrientation) {
    var screen = ScreenOrientation(home: .portrait, chosen: .landscapeLeft)
    screen.deviceTurned(to: device)
    #expect(screen.current == .landscapeLeft)
    let other: DeviceOrientation = device == .portrait ? .landscapeLeft : .portrait
    screen.deviceTurned(to: other)
    #expect(screen.current == InterfaceOrientation(uprightOn: other))
  }

  @Test("what has to last is what somebody chose or the lock holds, not what was followed")
  func lasting() throws {
    var screen = screen(on: .landscapeLeft)
    #expect(screen.lasting == nil)
    screen.set(.locked)
    #expect(screen.lasting == .landscapeRight)
    screen.set(.unlocked)
    #expect(screen.lasting == nil)
    try screen.rotate(to: .portrait)
    #expect(screen.lasting == .portrait)
    screen.deviceTurned(to: .landscapeRight)
    #expect(screen.lasting == nil)
  }

  @Test("whatever was kept, the interface starts with a supported orientation")
  func inconsistent() {
    #expect(
      ScreenOrientation(home: .portrait, chosen: .portrait, supported: .landscape).current
        == .landscapeLeft)
    #expect(ScreenOrientation(home: .portrait, supported: []).supported == .all)
  }
}

@Suite("A convertible as a laptop")
struct LaptopTests {
  @Test("the interface returns to the natural orientation and holds; as a tablet it follows again, at once")
  func laptop() {
    var screen = screen(on: .landscapeLeft)
    screen.follow(.nothing)
    #expect(screen.current == .portrait)
    screen.deviceTurned(to: .landscapeRight)
    #expect(screen.current == .portrait)
    screen.follow(.device)
    #expect(screen.current == .landscapeLeft)
  }

  @Test("locked, it stays as it is; unlocked as a laptop, it returns to the natural orientation")
  func locked() {
    var screen = screen(on: .landscapeLeft)
    screen.set(.locked)
    screen.follow(.nothing)
    #expect(screen.current == .landscapeRight)
    screen.set(.unlocked)
    #expect(screen.current == .portrait)
  }

  @Test("one chosen by hand before a restart holds, until the device is folded")
  func resumed() {
    var screen = ScreenOrientation(home: .landscapeLeft, chosen: .portrait)
    screen.resume(.device)
    screen.resume(.nothing)
    #expect(screen.current == .portrait && screen.lasting == .portrait)
    screen.follow(.device)
    screen.follow(.nothing)
    #expect(screen.current == .landscapeLeft && screen.lasting == nil)
  }

  @Test("one that followed before a restart returns to the natural orientation")
  func resumedFollowing() {
    var screen = ScreenOrientation(home: .landscapeLeft, followed: .portrait)
    screen.resume(.nothing)
    #expect(screen.current == .landscapeLeft)
  }

  @Test("one chosen by hand holds, however the device is carried")
  func chosen() throws {
    var screen = screen(on: .landscapeLeft)
    screen.follow(.nothing)
    try screen.rotate(to: .portraitUpsideDown)
    screen.deviceTurned(to: .portrait)
    #expect(screen.current == .portraitUpsideDown)
  }
}
