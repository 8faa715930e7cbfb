// SPDX-License-Identifier: Apache-2.0

import Following
import Systemd
import TabletPicture

// Where everything is: the tablet at the left, the column of text at its right, a message and the keys below. In a small
// terminal, the column has no spirit level and no details; in a tiny one, there is only text.

extension PictureState {
  /// The first explanation in the column; empty if there is none.
  private var note: String {
    for case .note(let text, _) in parts { return text }
    return ""
  }

  /// Draws a frame for a terminal of this size.
  func frame(columns: Int, rows: Int, range: CharacterRange) -> CellGrid {
    var grid = CellGrid(columns: columns, rows: rows, range: range)
    let layout = PictureLayout(columns: columns, rows: rows, message: message, otherwise: note)
    if layout.tabletColumns > 0 {
      var canvas = Canvas(columns: layout.tabletColumns, rows: layout.bodyRows)
      let camera = Camera(
        width: Double(canvas.width), height: Double(canvas.height), hasFloor: !layout.isSmall)
      canvas.draw(tablet, by: camera, hasFloor: !layout.isSmall)
      grid.put(canvas, row: 0, column: 0)
    }
    var column = PictureColumn(layout: layout)
    for part in parts { column.add(part, to: &grid) }
    for (number, line) in layout.message.enumerated() {
      grid.write(line, row: rows - 1 - layout.message.count + number, column: 1, .attention)
    }
    var position = 1
    for key in keys {
      let name = layout.isSmall ? key.name : " \(key.name) "
      grid.write(name, row: rows - 1, column: position, .key)
      grid.write(key.action, row: rows - 1, column: position + name.count + 1, .faint)
      position += name.count + key.action.count + (layout.isSmall ? 2 : 4)
    }
    return grid
  }
}

/// How the terminal is divided.
struct PictureLayout {
  private let columns: Int
  private let rows: Int
  /// Whether there is room for the tablet and short texts only.
  let isSmall: Bool
  /// The width of the tablet's part; 0 if there is no room for it.
  let tabletColumns: Int

  /// The lines of the message.
  let message: [String]

  /// The width of the names, and of the column in a large terminal.
  static let (nameWidth, columnWidth) = (11, 32)
  /// The most lines of a message.
  private static let (messageLines, messageLinesIfLarge) = (4, 5)

  /// Divides a terminal.
  ///
  /// - Parameters:
  ///   - columns: its width.
  ///   - rows: its height.
  ///   - message: what the user must know now.
  ///   - note: what takes the message's place in a small terminal, whose column has no room for it.
  init(columns: Int, rows: Int, message: String, otherwise note: String) {
    (self.columns, self.rows) = (columns, rows)
    isSmall = columns < 68 || rows < 20
    let text = message.isEmpty && isSmall ? note : message
    let lines = text.printableLines.wrapped(to: columns - 5)
    let shown = lines.prefix(rows < 10 ? 1 : isSmall ? Self.messageLines : Self.messageLinesIfLarge)
    self.message = shown.dropLast() + shown.suffix(1).map { shown.count < lines.count ? "\($0)..." : $0 }
    let textWidth = isSmall ? 20 : Self.columnWidth
    let left = columns - textWidth - 1
    tabletColumns = left >= 9 && rows >= 7 ? left : 0
  }

  /// The rows above the message, which always has one.
  var bodyRows: Int { max(rows - 1 - max(message.count, 1), 0) }

  /// The first column of the text.
  var textColumn: Int { tabletColumns + (tabletColumns > 0 ? 1 : 0) }

  /// The width of the text.
  var textWidth: Int { min(columns - textColumn, Self.columnWidth) }
}

/// The column of text, which is filled from the top.
private struct PictureColumn {
  let layout: PictureLayout
  var row: Int

  init(layout: PictureLayout) {
    self.layout = layout
    row = layout.isSmall ? 0 : 1
  }

  mutating func add(_ part: PictureState.Part, to grid: inout CellGrid) {
    switch part {
    case .field(let name, let value, let ink, let detail):
      addField(name, value, ink, detail: detail, to: &grid)
    case .bar(let share, let ink): addBar(share, ink, to: &grid)
    case .level(let level): addLevel(level, to: &grid)
    case .note(let text, let ink):
      guard !layout.isSmall else { return }
      for line in text.wrapped(to: layout.textWidth - 1) { writeLine((line, ink, column: 0), to: &grid) }
      row += 1
    }
  }

  private mutating func addField(
    _ name: String, _ value: String, _ ink: Ink, detail: String, to grid: inout CellGrid
  ) {
    // In a small terminal, on one line if it fits there.
    if layout.isSmall, name.count + 1 + value.count > layout.textWidth {
      writeLine((name, .faint, column: 0), to: &grid)
      return writeLine((value, ink, column: 1), to: &grid)
    }
    let column = layout.isSmall ? name.count + 1 : PictureLayout.nameWidth
    writeLine((name, .faint, column: 0), (value, ink, column: column), to: &grid)
    if !layout.isSmall, !detail.isEmpty { writeLine((detail, .plain, column: column), to: &grid) }
  }

  private mutating func addBar(_ share: Double, _ ink: Ink, to grid: inout CellGrid) {
    let width = layout.textWidth - 1
    let full = Int((min(max(share, 0), 1) * Double(width)).rounded())
    writeLine(
      (String(repeating: "\u{2500}", count: width - full), .faint, column: full),
      (String(repeating: "\u{2501}", count: full), ink, column: 0), to: &grid)
  }

  private mutating func addLevel(_ level: BubbleLevel, to grid: inout CellGrid) {
    let room = layout.bodyRows - row - 4
    guard !layout.isSmall, room >= 5 else { return }
    let rows = min(room, 10)
    let columns = min(rows * 2, layout.textWidth)
    var canvas = Canvas(columns: columns, rows: rows)
    level.draw(on: &canvas)
    grid.put(canvas, row: row + 1, column: layout.textColumn + (layout.textWidth - columns) / 2 - 1)
    row += rows + 2
  }

  private mutating func writeLine(
    _ texts: (text: String, ink: Ink, column: Int)..., to grid: inout CellGrid
  ) {
    guard row < layout.bodyRows else { return }
    for (text, ink, column) in texts { grid.write(text, row: row, column: layout.textColumn + column, ink) }
    row += 1
  }
}
