// SPDX-License-Identifier: Apache-2.0

/// What a dot or a text is drawn with.
enum Ink: Int {
  /// The shadow on the floor, the borders, the names of values.
  case faint
  /// The tablet, and most texts.
  case plain
  /// What is important.
  case strong
  /// The interface on the screen, and its edge.
  case interface
  /// Gravity.
  case gravity
  /// What needs attention: the lock, a border that has been passed.
  case attention
  /// The keys.
  case key
}

/// Dots, two columns and four rows of them in each cell of the terminal; they are as high as wide in most fonts.
struct Canvas {
  /// The dots of a cell.
  struct Dots: Equatable {
    /// A bit for each, the rows from top to bottom, the left one first.
    fileprivate(set) var bits: UInt8 = 0
    /// How many dots each ink has.
    private var counts = SIMD8<UInt8>()

    /// The ink of most dots, as a cell has only one; of two with as many, the later one in ``Ink``.
    var ink: Ink {
      let most = (0..<7).max { counts[$0] < counts[$1] || counts[$0] == counts[$1] && $0 < $1 } ?? 0
      return Ink(rawValue: most) ?? .plain
    }

    fileprivate mutating func set(_ bit: UInt8, _ ink: Ink) {
      // A dot keeps its ink, except a faint one.
      guard bits & bit == 0 || ink != .faint && counts[0] > 0 else { return }
      if bits & bit != 0 { counts[0] -= 1 }
      bits |= bit
      counts[ink.rawValue] += 1
    }
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Dots]

  /// Creates an empty canvas.
  ///
  /// - Parameters:
  ///   - columns: cells in a row.
  ///   - rows: rows of cells.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
    cells = Array(repeating: Dots(), count: self.columns * self.rows)
  }

  /// The width in dots.
  var width: Int { columns * 2 }
  /// The height in dots.
  var height: Int { rows * 4 }

  /// Sets the dot at a position, counted from the upper left corner; nothing happens outside.
  mutating func set(_ position: SIMD2<Double>, _ ink: Ink) {
    guard position.x >= 0, position.y >= 0, position.x < Double(width), position.y < Double(height) else {
      return
    }
    let (x, y) = (Int(position.x), Int(position.y))
    cells[y / 4 * columns + x / 2].set(1 << UInt8(y % 4 * 2 + x % 2), ink)
  }

  /// Draws a line.
  ///
  /// - Parameters:
  ///   - start: one end, in dots.
  ///   - end: the other end.
  ///   - ink: its look.
  ///   - step: the distance of its dots: 1 for a closed line.
  mutating func line(from start: SIMD2<Double>, to end: SIMD2<Double>, _ ink: Ink, step: Double = 1) {
    let way = end - start
    let length = max(abs(way.x), abs(way.y))
    guard length.isFinite, length < 10_000 else { return }
    let count = max((length / step).rounded(.up), 1)
    for number in 0...Int(count) { set(start + way * (Double(number) / count), ink) }
  }

  /// Draws a filled disc, or a circle.
  mutating func disc(at centre: SIMD2<Double>, radius: Double, _ ink: Ink, isFilled: Bool = true) {
    let reach = Int(radius.rounded(.up))
    for y in -reach...reach {
      for x in -reach...reach {
        let distance = Double(x * x + y * y).squareRoot()
        guard distance <= radius + 0.3, isFilled || distance > radius - 0.7 else { continue }
        set(centre + SIMD2(Double(x), Double(y)), ink)
      }
    }
  }
}
