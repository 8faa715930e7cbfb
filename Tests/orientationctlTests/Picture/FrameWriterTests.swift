// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Testing

@testable import OrientationctlKit

@Suite("What is written to the terminal")
struct FrameWriterTests {
  private func grid(_ lines: String..., ink: Ink = .plain) -> CellGrid {
    var grid = CellGrid(columns: 20, rows: lines.count)
    for (row, line) in lines.enumerated() { grid.write(line, row: row, column: 0, ink) }
    return grid
  }

  @Test("shows the frame, whatever was there before")
  func complete() {
    var (writer, screen) = (FrameWriter(hasColours: true), VirtualScreen(columns: 20, rows: 2))
    screen.write("something else")
    screen.write(writer.update(to: grid("one", "two")))
    #expect(screen.text == "one\ntwo\n")
    #expect(screen.faults == [])
  }

  @Test("is nothing if nothing differs, and only the cells that do otherwise")
  func difference() {
    var (writer, screen) = (FrameWriter(hasColours: true), VirtualScreen(columns: 20, rows: 2))
    screen.write(writer.update(to: grid("one", "two and more")))
    #expect(writer.update(to: grid("one", "two and more")) == "")
    let written = screen.writtenCells
    screen.write(writer.update(to: grid("one", "two and mere")))
    #expect(screen.text == "one\ntwo and mere\n")
    #expect(screen.writtenCells == written + 1)
    #expect(screen.clears == 1)
  }

  @Test("clears what is gone, and another ink of the same text is written")
  func gone() {
    var (writer, screen) = (FrameWriter(hasColours: true), VirtualScreen(columns: 20, rows: 2))
    screen.write(writer.update(to: grid("one", "two")))
    screen.write(writer.update(to: grid("", "two")))
    #expect(screen.text == "\ntwo\n")
    #expect(writer.update(to: grid("", "two", ink: .strong)).contains("\u{1b}[0;1mtwo"))
  }

  @Test("comes at once where the terminal can do that, and leaves no attribute behind")
  func synchronized() {
    var writer = FrameWriter(hasColours: true)
    let text = writer.update(to: grid("one", ink: .attention))
    #expect(text.hasPrefix("\u{1b}[?2026h") && text.hasSuffix("\u{1b}[0m\u{1b}[?2026l"))
  }

  @Test("has no colours if they are not wanted")
  func colours() {
    for ink in [Ink.faint, .plain, .strong, .interface, .gravity, .attention, .key] {
      var writer = FrameWriter(hasColours: false)
      #expect(!writer.update(to: grid("x", ink: ink)).contains(";3"), "\(ink)")
    }
    var writer = FrameWriter(hasColours: true)
    #expect(writer.update(to: grid("x", ink: .interface)).contains(";32m"))
  }

  @Test(
    "suits the terminal and the locale",
    arguments: [
      (["TERM": "xterm", "LANG": "de_DE.UTF-8"], true, true, CharacterRange.braille),
      (["TERM": "xterm", "LC_ALL": "C", "LANG": "de_DE.UTF-8"], true, true, .ascii),
      (["TERM": "xterm", "LC_CTYPE": "C.utf8", "LANG": "C"], true, true, .braille),
      (["TERM": "xterm"], true, true, .braille), (["TERM": "linux"], true, true, .blocks),
      (["TERM": "xterm", "NO_COLOR": "1"], true, false, .braille),
      (["TERM": "xterm", "NO_COLOR": ""], true, true, .braille),
      (["TERM": "vt220"], true, false, .braille), (["TERM": "xterm-mono"], true, false, .braille),
      (["TERM": "dumb"], false, false, .braille), ([:], false, false, .braille),
    ])
  func variables(
    values: [String: String], canMoveCursor: Bool, hasColours: Bool, range: CharacterRange
  ) {
    let variables = TerminalVariables { values[$0] }
    #expect(variables.canMoveCursor == canMoveCursor)
    #expect(variables.hasColours == hasColours)
    #expect(variables.range == range)
  }
}
