// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationctlKit

@Suite("The keys of a picture")
struct PictureKeyTests {
  private func keys(_ pieces: String...) -> [PictureKey] {
    var keys = PictureKeys()
    return pieces.flatMap { keys.read(Array($0.utf8)) }
  }

  @Test(
    "are letters and arrows, in both modes of terminals",
    arguments: [
      ("l", [PictureKey.lock]), ("L", [.lock]), ("q", [.quit]), ("\u{c}", [.redraw]), ("\r", [.enter]),
      ("\u{1b}[D\u{1b}[C\u{1b}[A\u{1b}[B", [.left, .right, .up, .down]),
      ("\u{1b}OD\u{1b}OC", [.left, .right]),
      ("\u{1b}[1;5C", [.right]), ("lq", [.lock, .quit]),
    ])
  func known(text: String, expected: [PictureKey]) {
    #expect(keys(text) == expected)
  }

  @Test("are recognized if they come byte by byte")
  func pieces() {
    #expect(keys("\u{1b}", "[", "C", "l") == [.right, .lock])
  }

  @Test(
    "that are unknown do nothing, and do not disturb the next one",
    arguments: ["x", "é", "\u{1b}[3~", "\u{1b}[15;2~", "\u{1b}", "\u{1b}\u{1b}", "\u{1b}[99;99;99R"])
  func unknown(text: String) {
    #expect(keys(text, "q") == [.quit])
  }
}
