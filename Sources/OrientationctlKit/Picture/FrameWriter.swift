// SPDX-License-Identifier: Apache-2.0

/// The escape sequences that turn one frame into the next: only the cells that differ are written.
struct FrameWriter {
  /// Whether the terminal has colours, and the user wants them.
  let hasColours: Bool

  private var shown: CellGrid?

  init(hasColours: Bool) { self.hasColours = hasColours }

  /// Forgets what is shown: the next frame is written completely.
  mutating func reset() { shown = nil }

  /// The text that shows a frame; empty if nothing differs.
  ///
  /// Terminals that know synchronized output (mode 2026) show it at once; the others ignore that mode.
  mutating func update(to grid: CellGrid) -> String {
    let before = shown.flatMap { $0.columns == grid.columns && $0.rows == grid.rows ? $0 : nil }
    shown = grid
    var body = before == nil ? "\u{1b}[0m\u{1b}[2J" : ""
    var ink = Ink.plain
    for row in 0..<grid.rows {
      for run in Self.runs(of: grid, differingFrom: before, in: row) {
        body += "\u{1b}[\(row + 1);\(run.lowerBound + 1)H"
        for column in run {
          let cell = grid[row, column]
          // Blanks look the same with any ink but that of keys.
          let isVisible = cell.character != " " || cell.ink == .key || ink == .key
          if cell.ink != ink, isVisible {
            ink = cell.ink
            body += sequence(for: ink)
          }
          body.unicodeScalars.append(cell.character)
        }
      }
    }
    guard !body.isEmpty else { return "" }
    return "\u{1b}[?2026h\u{1b}[0m\(body)\u{1b}[0m\u{1b}[?2026l"
  }

  /// The columns of a row that must be written; short gaps are written, too, which takes fewer bytes than a jump.
  private static func runs(
    of grid: CellGrid, differingFrom before: CellGrid?, in row: Int
  ) -> [Range<Int>] {
    let blank = CellGrid.Cell()
    var runs: [Range<Int>] = []
    for column in 0..<grid.columns {
      guard grid[row, column] != before?[row, column] ?? blank else { continue }
      if let last = runs.last, column - last.upperBound < 5 {
        runs[runs.count - 1] = last.lowerBound..<column + 1
      } else {
        runs.append(column..<column + 1)
      }
    }
    return runs
  }

  /// The sequence for an ink.
  ///
  /// The colours are those of the user's theme, so they suit dark and light ones.
  private func sequence(for ink: Ink) -> String {
    let numbers =
      switch ink {
      case .faint: "0;2"
      case .plain: "0"
      case .strong: "0;1"
      case .interface: hasColours ? "0;32" : "0;1"
      case .gravity: hasColours ? "0;36" : "0;1"
      case .attention: hasColours ? "0;1;35" : "0;1"
      case .key: "0;7"
      }
    return "\u{1b}[\(numbers)m"
  }
}
