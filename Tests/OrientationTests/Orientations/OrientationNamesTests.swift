// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@Suite("Orientations are UIKit's")
struct OrientationNamesTests {
  @Test("device orientations have UIKit's raw values and names")
  func deviceRawValues() {
    #expect(
      DeviceOrientation.allCases.map { "\($0.rawValue) \($0.name)" } == [
        "0 unknown", "1 portrait", "2 portraitUpsideDown", "3 landscapeLeft", "4 landscapeRight",
        "5 faceUp", "6 faceDown",
      ])
  }

  @Test("the interface's landscapes are swapped against the device's")
  func interfaceRawValues() {
    #expect(InterfaceOrientation.landscapeRight.rawValue == 3)
    #expect(InterfaceOrientation.landscapeLeft.rawValue == 4)
    #expect(InterfaceOrientation(uprightOn: .landscapeLeft) == .landscapeRight)
    #expect(InterfaceOrientation(uprightOn: .landscapeRight) == .landscapeLeft)
    #expect(InterfaceOrientation(uprightOn: .portrait) == .portrait)
    #expect(InterfaceOrientation(uprightOn: .portraitUpsideDown) == .portraitUpsideDown)
  }

  @Test(
    "a flat or unknown device has no upright interface",
    arguments: [.faceUp, .faceDown, .unknown] as [DeviceOrientation])
  func flat(orientation: DeviceOrientation) {
    #expect(InterfaceOrientation(uprightOn: orientation) == nil)
    #expect(!orientation.isValidInterfaceOrientation)
  }

  @Test("masks have UIKit's bits")
  func masks() {
    #expect(InterfaceOrientationMask.portrait.rawValue == 2)
    #expect(InterfaceOrientationMask.portraitUpsideDown.rawValue == 4)
    #expect(InterfaceOrientationMask.landscapeRight.rawValue == 8)
    #expect(InterfaceOrientationMask.landscapeLeft.rawValue == 16)
    #expect(InterfaceOrientationMask.landscape.rawValue == 24)
    #expect(InterfaceOrientationMask.all.rawValue == 30)
    #expect(InterfaceOrientationMask.allButUpsideDown.rawValue == 26)
    #expect(!InterfaceOrientationMask.all.contains(.unknown))
    #expect(!InterfaceOrientationMask.allButUpsideDown.contains(InterfaceOrientation.portraitUpsideDown))
  }

  @Test("the first of a mask goes portrait, landscapeLeft, landscapeRight, portraitUpsideDown")
  func first() {
    let order: [InterfaceOrientation] = [.portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown]
    for bits: UInt32 in 0...255 {
      let mask = InterfaceOrientationMask(rawValue: bits)
      #expect(mask.first == order.first { mask.contains($0) })
    }
  }

  @Test("every name finds its orientation again, and no other spelling does")
  func names() {
    for orientation in DeviceOrientation.allCases {
      #expect(DeviceOrientation(name: orientation.name) == orientation)
    }
    for orientation in InterfaceOrientation.allCases {
      #expect(InterfaceOrientation(name: orientation.name) == orientation)
    }
    #expect(DeviceOrientation(name: "Portrait") == nil)
    #expect(InterfaceOrientation(name: "faceUp") == nil)
  }
}
