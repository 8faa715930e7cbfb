// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationctlKit

@Suite("The characters of a picture")
struct CellGridTests {
  @Test("are Braille patterns of the dots")
  func braille() {
    var canvas = Canvas(columns: 2, rows: 1)
    canvas.set(SIMD2(0, 0), .plain)
    canvas.set(SIMD2(3, 3), .plain)
    canvas.set(SIMD2(2, 3), .plain)
    #expect(shown(canvas, .braille) == "\u{2801}\u{28C0}\n")
  }

  @Test("are blocks or ASCII where there are no Braille patterns")
  func others() {
    var canvas = Canvas(columns: 5, rows: 1)
    canvas.set(SIMD2(0, 0), .plain)
    canvas.set(SIMD2(2, 3), .plain)
    canvas.line(from: SIMD2(4, 0), to: SIMD2(4, 3), .plain)
    canvas.line(from: SIMD2(6, 0), to: SIMD2(7, 3), .plain)
    #expect(shown(canvas, .blocks) == "\u{2580}\u{2584}\u{2588}\u{2588}\n")
    #expect(shown(canvas, .ascii) == "'.|#\n")
  }

  private func shown(_ canvas: Canvas, _ range: CharacterRange) -> String {
    var grid = CellGrid(columns: canvas.columns, rows: canvas.rows, range: range)
    grid.put(canvas, row: 0, column: 0)
    return grid.text
  }

  @Test("take one cell each, and control nothing, also in names from outside")
  func hostile() {
    var grid = CellGrid(columns: 60, rows: 1)
    grid.write("a\u{1b}[2J\u{4e16}\u{301}\u{202e}é|", row: 0, column: 0)
    #expect(grid.text == "a\\u{1b}[2J??\\u{202e}é|\n")
  }

  @Test("are left out beside the picture")
  func outside() {
    var grid = CellGrid(columns: 4, rows: 2)
    grid.write("abcdef", row: 0, column: 2)
    grid.write("abcdef", row: 1, column: -3)
    grid.write("abcdef", row: 2, column: 0)
    grid.write("abcdef", row: -1, column: 0)
    #expect(grid.text == "  ab\ndef\n")
    var canvas = Canvas(columns: 2, rows: 1)
    for place in [SIMD2(-1.0, 0), SIMD2(4, 0), SIMD2(0, 4), SIMD2(.nan, 0), SIMD2(.infinity, 0)] {
      canvas.set(place, .plain)
      canvas.line(from: place, to: SIMD2(-50, -50), .plain)
    }
    grid.put(Canvas(columns: 9, rows: 9), row: 1, column: 3)
    #expect(canvas.cells.allSatisfy { $0.bits == 0 })
  }
}
