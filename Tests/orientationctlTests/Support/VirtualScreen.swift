// SPDX-License-Identifier: Apache-2.0

/// What a terminal shows after the text that was written to it, as far as a picture uses sequences.
struct VirtualScreen {
  private(set) var columns: Int
  private(set) var rows: Int
  private var cells: [[Unicode.Scalar]]
  private var position = (row: 0, column: 0)

  /// Whether the alternate screen is shown.
  private(set) var isAlternate = false
  /// Whether the cursor is visible.
  private(set) var hasCursor = true
  /// Whether a text wraps at the end of a row.
  private(set) var wraps = true
  /// Whether changes are kept back until all are there.
  private(set) var isSynchronizing = false
  /// The parameters of all sequences for colours and attributes.
  private(set) var attributes: Set<String> = []
  /// What is not understood, and what is written outside.
  private(set) var faults: [String] = []
  /// How often the whole screen was cleared.
  private(set) var clears = 0
  /// How often the alternate screen was left.
  private(set) var restorations = 0
  /// How many cells were written.
  private(set) var writtenCells = 0

  private var isOutdated = false
  private var sequence: String.UnicodeScalarView?

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The rows, without blanks at their ends.
  var text: String {
    cells.map { row in
      var row = row
      while row.last == " " { row.removeLast() }
      var line = String.UnicodeScalarView()
      line.append(contentsOf: row)
      return String(line) + "\n"
    }.joined()
  }

  /// Whether everything is as it was before a picture.
  var isRestored: Bool { !isAlternate && hasCursor && wraps && !isSynchronizing }

  /// Gives it another size; what it shows is lost.
  ///
  /// Up to the next clearing, what a program writes may still be for the old size.
  mutating func resize(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    isOutdated = true
    clear()
  }

  private mutating func clear() {
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  mutating func write(_ text: String) {
    for scalar in text.unicodeScalars { write(scalar) }
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    if scalar == "\u{1b}" || scalar == "\u{18}" {
      // Either ends a sequence that is not complete; only the first begins another.
      sequence = scalar == "\u{1b}" ? String.UnicodeScalarView([scalar]) : nil
      return
    }
    if var sequence {
      sequence.append(scalar)
      let isOver = sequence.count > 2 && "@"..."~" ~= scalar
      self.sequence = isOver ? nil : sequence
      if isOver { apply(String(sequence)) }
      return
    }
    switch scalar {
    case "\r": position.column = 0
    case "\n": position = (position.row + 1, position.column)
    case _ where scalar.value < 0x20: faults.append("control \(scalar.value)")
    case _ where position.row < rows && position.column < columns:
      cells[position.row][position.column] = scalar
      position.column += 1
      writtenCells += 1
    // Lines of other output go on below the screen.
    default: if isAlternate, !isOutdated { faults.append("outside: \(position)") }
    }
  }

  private mutating func apply(_ text: String) {
    let (parameters, last) = (String(text.dropFirst(2).dropLast()), text.last)
    switch (last, parameters) {
    case ("H", _):
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      if numbers.count == 2 { position = (numbers[0] - 1, numbers[1] - 1) } else { faults.append(text) }
    case ("J", "2"):
      clears += 1
      isOutdated = false
      clear()
    case ("m", _): attributes.insert(parameters)
    case ("h", "?1049"), ("l", "?1049"):
      isAlternate = last == "h"
      if !isAlternate { restorations += 1 }
    case ("h", "?25"), ("l", "?25"): hasCursor = last == "h"
    case ("h", "?7"), ("l", "?7"): wraps = last == "h"
    case ("h", "?2026"), ("l", "?2026"): isSynchronizing = last == "h"
    default: faults.append(text)
    }
  }
}
