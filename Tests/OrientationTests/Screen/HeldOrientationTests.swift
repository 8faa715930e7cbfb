// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// An interface on a portrait panel whose device is held so.
private func screen(on device: DeviceOrientation, lock: RotationLock = .unlocked) -> HeldOrientation {
  var screen = HeldOrientation(ScreenOrientation(home: .portrait, lock: .unlocked))
  screen.change { $0.deviceTurned(to: device) }
  screen.change { $0.set(lock) }
  return screen
}

extension HeldOrientation {
  /// Lays only this hold over the interface, of a device whose orientation is not known.
  fileprivate mutating func hold(_ mask: InterfaceOrientationMask) {
    hold([InterfaceHold(number: mask.rawValue, mask: mask)], on: .unknown)
  }

  fileprivate mutating func support(to mask: InterfaceOrientationMask) throws {
    try support(mask, on: .unknown)
  }
}

@Suite("An app's hold of the interface's orientations")
struct HeldOrientationTests {
  @Test("that has the present orientation moves nothing, and its end neither")
  func allowed() {
    var screen = screen(on: .landscapeLeft)
    screen.hold(.landscape)
    #expect(screen.current == .landscapeRight)
    #expect(screen.effective == .landscape)
    screen.hold([], on: .unknown)
    #expect(screen.current == .landscapeRight)
    #expect(screen.effective == .all)
  }

  @Test(
    "that lacks the present orientation takes the device's, if it has that: of one chosen by hand, and of a locked one"
  )
  func device() throws {
    var screen = screen(on: .landscapeLeft)
    try screen.rotate(to: .portrait)
    screen.hold(.landscape)
    #expect(screen.current == .landscapeRight)
    screen.hold([], on: .unknown)
    #expect(screen.current == .portrait)
  }

  @Test(
    "that lacks the device's orientation, too, takes its first; its end leads back, locked or not",
    arguments: [RotationLock.locked, .unlocked])
  func first(lock: RotationLock) {
    var screen = screen(on: .portrait, lock: lock)
    screen.hold(.landscape)
    #expect(screen.current == .landscapeLeft)
    screen.hold([], on: .unknown)
    #expect(screen.current == .portrait)
  }

  @Test("lets the device turn the interface within it, and only within it")
  func turns() {
    var screen = screen(on: .portrait)
    screen.hold(.landscape)
    screen.change { $0.deviceTurned(to: .landscapeLeft) }
    #expect(screen.current == .landscapeRight)
    screen.change { $0.deviceTurned(to: .portraitUpsideDown) }
    #expect(screen.current == .landscapeRight)
    screen.change { $0.deviceTurned(to: .faceUp) }
    #expect(screen.current == .landscapeRight)
    screen.hold([], on: .unknown)
    #expect(screen.current == .portraitUpsideDown)
  }

  @Test("over a locked interface does not turn with the device, and its end leads to the locked orientation")
  func locked() {
    var screen = screen(on: .portrait, lock: .locked)
    screen.hold(.landscape)
    #expect(screen.current == .landscapeLeft)
    screen.change { $0.deviceTurned(to: .landscapeLeft) }
    #expect(screen.current == .landscapeLeft)
    screen.hold([], on: .unknown)
    #expect(screen.current == .portrait)
  }

  @Test("that has nothing that the person supports waits, and counts once it has")
  func waiting() throws {
    var screen = screen(on: .portrait)
    try screen.support(to: .portrait)
    screen.hold(.landscape)
    #expect(screen.current == .portrait)
    #expect(screen.effective == .portrait)
    try screen.support(to: .all)
    #expect(screen.effective == .landscape)
    #expect(screen.current == .landscapeLeft)
    try screen.support(to: .portraitUpsideDown)
    #expect(screen.current == .portraitUpsideDown)
  }

  @Test("keeps a person from rotating out of it, and from nothing else")
  func byHand() throws {
    var screen = screen(on: .portrait)
    screen.hold(.landscape)
    #expect(throws: UnsupportedOrientation.held(.landscape)) { try screen.rotate(to: .portrait) }
    try screen.rotate(to: .landscapeRight)
    #expect(screen.current == .landscapeRight)
    screen.hold([], on: .unknown)
    #expect(screen.current == .landscapeRight)
  }

  @Test("a suggestion is what unlocking would bring, hold or not")
  func suggestion() {
    var screen = screen(on: .portrait, lock: .locked)
    #expect(screen.suggested(on: .landscapeLeft) == .landscapeRight)
    #expect(screen.suggested(on: .faceUp) == .portrait)
    #expect(screen.current == .portrait)
    screen.hold(.landscapeLeft)
    #expect(screen.suggested(on: .landscapeLeft) == .landscapeLeft)
  }

  @Test("over a locked interface, as it has to move, takes the orientation of the device as it is in fact")
  func lockedTurned() {
    var screen = screen(on: .portrait, lock: .locked)
    screen.hold([InterfaceHold(number: 1, mask: .landscape)], on: .landscapeLeft)
    #expect(screen.current == .landscapeRight)
  }

  @Test("that waits lets an older one count")
  func older() throws {
    var screen = screen(on: .portrait)
    let holds = [
      InterfaceHold(number: 1, mask: .landscapeLeft), InterfaceHold(number: 2, mask: .portraitUpsideDown),
    ]
    screen.hold(holds, on: .portrait)
    #expect(screen.current == .portraitUpsideDown)
    try screen.support(.landscape, on: .landscapeLeft)
    #expect(screen.effective == .landscapeLeft)
    #expect(screen.current == .landscapeLeft)
  }

  @Test("that has the present orientation does not move an interface that another hold has moved")
  func present() throws {
    var screen = screen(on: .portrait)
    try screen.rotate(to: .landscapeRight)
    let first = InterfaceHold(number: 1, mask: .landscapeLeft)
    screen.hold([first], on: .portrait)
    #expect(screen.current == .landscapeLeft)
    screen.hold([first, InterfaceHold(number: 2, mask: .landscape)], on: .portrait)
    #expect(screen.current == .landscapeLeft)
  }

  @Test(
    "of which none was supported for a while shows the picture upright again, also over a locked interface")
  func waitedUnderLock() throws {
    var screen = screen(on: .landscapeRight)
    let holds = [InterfaceHold(number: 1, mask: .landscape)]
    screen.hold(holds, on: .landscapeRight)
    try screen.support(.portrait, on: .landscapeRight)
    screen.change { $0.set(.locked) }
    try screen.support(.all, on: .landscapeLeft)
    #expect(screen.current == .landscapeRight)
  }

  // A hold that allows everything is no hold.
  @Test("of all orientations changes nothing, whatever happens", arguments: 0..<64)
  func all(seed: UInt64) {
    var noise = Noise(seed: seed)
    func below(_ limit: Int) -> Int { Int(noise.uniform() * Double(limit)) }
    var screen = HeldOrientation(ScreenOrientation(home: .portrait))
    var plain = ScreenOrientation(home: .portrait)
    screen.hold(.all)
    for _ in 0..<200 {
      let device = DeviceOrientation.allCases[below(7)]
      let (lock, following) = (below(4) == 0 ? RotationLock.locked : .unlocked, below(4) == 0)
      let orientation = InterfaceOrientation.allCases.filter { $0 != .unknown }[below(4)]
      let event = below(5)
      func happen(to screen: inout ScreenOrientation) {
        switch event {
        case 0: screen.set(lock)
        case 1: screen.follow(following ? .nothing : .device)
        default: screen.deviceTurned(to: device)
        }
      }
      if event == 2 {
        try? screen.rotate(to: orientation)
        try? plain.rotate(to: orientation)
      } else {
        screen.change(happen)
        happen(to: &plain)
      }
      #expect(screen.current == plain.current)
    }
  }

  // The law of the stack: a hold that comes and goes leaves the older holds as if it had never been.
  @Test(
    "whatever happens under a newer hold, the older ones are as without it once it has ended",
    arguments: 0..<64)
  func stack(seed: UInt64) {
    var noise = Noise(seed: seed)
    func below(_ limit: Int) -> Int { Int(noise.uniform() * Double(limit)) }
    func mask() -> InterfaceOrientationMask { InterfaceOrientationMask(rawValue: UInt32(1 + below(15)) << 1) }
    var device = DeviceOrientation.unknown
    var alone = HeldOrientation(ScreenOrientation(home: .portrait))
    var holds: [InterfaceHold] = []
    for number in 0..<UInt32(200) {
      if below(3) == 0 { holds.append(InterfaceHold(number: number, mask: mask())) }
      if below(3) == 0, !holds.isEmpty { holds.remove(at: below(holds.count)) }
      alone.hold(holds, on: device)
      var both = alone
      both.hold(holds + [InterfaceHold(number: .max, mask: mask())], on: device)
      for _ in 0..<5 {
        device = DeviceOrientation.allCases[below(7)]
        let (mask, lock) = (mask(), below(4) == 0 ? RotationLock.locked : .unlocked)
        let event = below(3)
        func happen(to screen: inout HeldOrientation) {
          switch event {
          case 0: screen.change { $0.set(lock) }
          case 1: try? screen.support(mask, on: device)
          default: screen.change { $0.deviceTurned(to: device) }
          }
        }
        happen(to: &alone)
        happen(to: &both)
        #expect(both.unheld == alone.unheld)
      }
      both.hold(holds, on: device)
      #expect(both == alone)
    }
  }

  // The law: whatever happens, the interface has an orientation that it may have; and what happens under a hold is, once the hold
  // has ended, as if there had been none.
  @Test(
    "whatever happens, the interface has an allowed orientation, and nothing is left of a hold that has ended",
    arguments: 0..<64)
  func law(seed: UInt64) {
    var noise = Noise(seed: seed)
    func below(_ limit: Int) -> Int { Int(noise.uniform() * Double(limit)) }
    let interfaces: [InterfaceOrientation] = [
      .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight,
    ]
    var screen = HeldOrientation(ScreenOrientation(home: .portrait))
    var plain = ScreenOrientation(home: .portrait)
    var device = DeviceOrientation.unknown
    for _ in 0..<200 {
      switch below(6) {
      case 0:
        let mask = InterfaceOrientationMask(rawValue: UInt32(below(16)) << 1)
        if mask.isEmpty { screen.hold([], on: device) } else { screen.hold(mask) }
      case 1:
        let lock: RotationLock = below(2) == 0 ? .locked : .unlocked
        screen.change { $0.set(lock) }
        plain.set(lock)
      case 2:
        let mask = InterfaceOrientationMask(rawValue: UInt32(1 + below(15)) << 1)
        try? screen.support(mask, on: device)
        try? plain.support(mask)
      case 3:
        let orientation = interfaces[below(4)]
        if (try? screen.rotate(to: orientation)) != nil { try? plain.rotate(to: orientation) }
      default:
        device = DeviceOrientation.allCases[below(7)]
        screen.change { $0.deviceTurned(to: device) }
        plain.deviceTurned(to: device)
      }
      #expect(screen.effective.contains(screen.current))
      #expect(screen.unheld == plain)
      var ended = screen
      ended.hold([], on: .unknown)
      #expect(ended.current == plain.current)
    }
  }
}
