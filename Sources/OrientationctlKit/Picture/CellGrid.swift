// SPDX-License-Identifier: Apache-2.0

import Systemd

/// What characters the terminal can show.
enum CharacterRange: Equatable {
  /// Also Braille patterns, which are the dots.
  case braille
  /// Unicode, but the font has only block elements, as that of Linux's own console.
  case blocks
  /// Only ASCII.
  case ascii
}

/// The characters of a frame, each with its ink.
struct CellGrid: Equatable {
  /// A cell of the terminal.
  struct Cell: Equatable {
    var character: Unicode.Scalar = " "
    var ink = Ink.plain
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  private let range: CharacterRange

  /// Creates an empty grid.
  init(columns: Int, rows: Int, range: CharacterRange = .braille) {
    (self.columns, self.rows, self.range) = (max(columns, 0), max(rows, 0), range)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// The cell at a position within the grid.
  subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  /// Writes a text into a row; what does not fit is left out.
  ///
  /// Text from other programs can be in it. A character that may take no cell, or two, would move the rest of the row, so it
  /// becomes a question mark.
  mutating func write(_ text: String, row: Int, column: Int, _ ink: Ink = .plain) {
    guard row >= 0, row < rows else { return }
    var position = column
    for scalar in text.printable.unicodeScalars {
      defer { position += 1 }
      guard position >= 0, position < columns else { continue }
      // A blank looks the same with any ink but that of keys.
      let isPlain = scalar == " " && ink != .key
      cells[row * columns + position] = Cell(character: shown(scalar), ink: isPlain ? .plain : ink)
    }
  }

  private func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case ..<0x80: scalar
    case _ where range == .ascii: Self.inASCII[scalar] ?? "?"
    // The console's font has only the thin line.
    case 0x2501 where range == .blocks: "\u{2584}"
    case 0xA1..<0x300, 0x2190...0x2193, 0x2500...0x257F, 0x2580...0x259F: scalar
    default: "?"
    }
  }

  /// What stands for this program's own characters where there is only ASCII.
  private static let inASCII: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{b0}": "d", "\u{2190}": "<", "\u{2192}": ">", "\u{2191}": "^", "\u{2193}": "v",
    "\u{2501}": "=", "\u{2500}": "-",
  ]

  /// Puts dots into the grid; cells without dots stay as they are.
  mutating func put(_ canvas: Canvas, row: Int, column: Int) {
    for (number, dots) in canvas.cells.enumerated() where dots.bits != 0 {
      let (y, x) = (row + number / canvas.columns, column + number % canvas.columns)
      guard y >= 0, y < rows, x >= 0, x < columns else { continue }
      cells[y * columns + x] = Cell(character: range.character(for: dots.bits), ink: dots.ink)
    }
  }
}

extension CharacterRange {
  /// The character for dots: bits of the rows from top to bottom, in each the left one first.
  func character(for bits: UInt8) -> Unicode.Scalar {
    let (upper, lower) = (bits & 0b1111 != 0, bits & 0b1111_0000 != 0)
    switch self {
    case .braille: return Self.braillePattern(bits)
    case .blocks: return upper && lower ? "\u{2588}" : upper ? "\u{2580}" : "\u{2584}"
    case .ascii:
      let (left, right) = (bits & 0b0101_0101 != 0, bits & 0b1010_1010 != 0)
      guard upper && lower else { return upper ? (left && right ? "\"" : "'") : (left && right ? "_" : ".") }
      return left && right ? "#" : "|"
    }
  }

  /// Braille numbers its dots down the left column, then the right one, and the lowest two last.
  private static func braillePattern(_ bits: UInt8) -> Unicode.Scalar {
    let order: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
    let value = (0..<8).reduce(UInt32(0)) { $0 | (bits & 1 << $1 != 0 ? order[$1] : 0) }
    return Unicode.Scalar(0x2800 + value) ?? " "
  }
}
