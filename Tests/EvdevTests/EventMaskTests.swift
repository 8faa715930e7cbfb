// SPDX-License-Identifier: Apache-2.0

import CLinux
import Testing

@testable import Evdev

@Suite("The capabilities that sysfs tells")
struct EventMaskTests {
  @Test(
    "a bit of a mask is a code, counted from the last word",
    arguments: [
      ("2", [1]), ("1002", [1, 12]), ("0", []), ("1 0", [64]), ("20000 0 0", [145]),
      ("2000000000000 0 0 0 0 0 0 0 4", [2, 561]), ("ffff", Array(0..<16)),
    ] as [(String, [UInt16])])
  func bits(text: String, codes: [UInt16]) throws {
    let mask = try #require(EventMask(parsing: text))
    #expect((0..<768).filter { mask.contains($0) } == codes)
  }

  @Test(
    "what is no mask is refused",
    arguments: ["", " ", "x", "0x2", "2 -1", "G", "10000000000000000", "2,1", "ä"])
  func malformed(text: String) {
    #expect(EventMask(parsing: text) == nil)
  }

  @Test("codes beyond the mask are not in it")
  func beyond() throws {
    let mask = try #require(EventMask(parsing: "ffffffffffffffff"))
    #expect(mask.contains(63))
    #expect(!mask.contains(64))
    #expect(!mask.contains(.max))
  }

  @Test("the numbers of our switches are the kernel's")
  func numbers() {
    #expect(Int32(InputSwitch.tabletMode.rawValue) == SW_TABLET_MODE)
    #expect(Int32(InputSwitch.rotateLock.rawValue) == SW_ROTATE_LOCK)
  }
}
