// SPDX-License-Identifier: Apache-2.0

/// How the accelerometer chip is mounted: the 3x3 matrix of the kernel's mount-matrix document, by rows.
///
/// udev's hwdb and the kernel's mount_matrix attributes both write it as "0, -1, 0; 1, 0, 0; 0, 0, 1". ``ScreenTransform``
/// explains what its rows mean for the screen.
package struct MountMatrix: Equatable, Sendable, CustomStringConvertible {
  /// One row: the weights of the chip's x, y and z.
  package typealias Row = SIMD3<Double>

  /// The row for the screen's x.
  package let x: Row
  /// The row for the screen's y.
  package let y: Row
  /// The row for the screen's z.
  package let z: Row

  /// The chip's axes are those of the screen.
  package static let identity = MountMatrix(
    uncheckedRows: Row(1, 0, 0), Row(0, 1, 0), Row(0, 0, 1))

  /// Takes the rows without a check; only for x and y rows that are known to be independent.
  init(uncheckedRows x: Row, _ y: Row, _ z: Row) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Creates a matrix from its rows.
  ///
  /// - Throws: ``MountMatrixError/singular(text:)``
  package init(x: Row, y: Row, z: Row) throws(MountMatrixError) {
    self.init(uncheckedRows: x, y, z)
    guard !losesAnAxis else { throw .singular(text: description) }
  }

  /// Parses a matrix: nine numbers, rows separated by semicolons, columns by commas.
  ///
  /// Space around a number, a semicolon at the end and an end of line are allowed.
  ///
  /// The third row may be anything: people who adjust a matrix until the picture is upright see only the other two rows,
  /// and two of the matrices that systemd ships have a third row that makes them singular (``isSingular``).
  ///
  /// - Parameter text: the text of an attribute, of a udev property or of the configuration.
  /// - Throws: ``MountMatrixError``; `singular` if the x and y rows alone are zero or parallel.
  package init(parsing text: String) throws(MountMatrixError) {
    let characters = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    var rows: [Row] = []
    for (index, row) in characters.enumerated() {
      let isEmptyEnd = index == characters.count - 1 && row.allSatisfy { $0.isASCIISpace }
      if isEmptyEnd && index > 0 { continue }
      rows.append(try Self.row(row, of: text))
    }
    guard rows.count == 3 else {
      throw .malformed(text: text, reason: "it has \(rows.count) rows instead of 3")
    }
    self.init(uncheckedRows: rows[0], rows[1], rows[2])
    guard !losesAnAxis else { throw .singular(text: text) }
  }

  /// Whether the x and y rows are zero or parallel.
  private var losesAnAxis: Bool { !(x.cross(y).length > Self.leastSine * x.length * y.length) }

  /// Whether the third row is in the plane of the other two, or is zero.
  ///
  /// The screen's z axis can still be derived from x and y.
  package var isSingular: Bool {
    let normal = x.cross(y)
    return !(abs(determinant) > Self.leastSine * normal.length * z.length)
  }

  /// If the angle between two rows, or between a row and the plane of the others, has a smaller sine, they count as the
  /// same direction.
  ///
  /// It is the sine of 6 degrees. In practice, rows are at right angles, whatever their lengths.
  private static let leastSine = 0.1

  /// The determinant: +1 for a rigidly mounted right-handed chip, -1 if an axis is mirrored.
  package var determinant: Double {
    let minors = y.cross(z)
    return (x * minors).sum()
  }

  /// Checks that the matrix only turns, or turns and mirrors, as one that people set must.
  ///
  /// - Throws: ``MountMatrixError/notATurn(text:)`` if the rows are not at right angles, within ``leastSine``, or their lengths not near one.
  package func checkTurn() throws(MountMatrixError) {
    let isOfLength = [x, y, z].allSatisfy { Self.lengths.contains($0.length) }
    let cosines = [(x * y).sum(), (y * z).sum(), (z * x).sum()]
    guard isOfLength, cosines.allSatisfy({ abs($0) <= Self.leastSine }) else {
      throw .notATurn(text: description)
    }
  }

  /// What it turns and mirrors, without its scale and the skew of its axes: x keeps its direction.
  var turn: MountMatrix {
    let right = x / x.length
    let askew = y - right * (right * y).sum()
    let up = askew / askew.length
    let out = right.cross(up)
    return MountMatrix(uncheckedRows: right, up, (out * z).sum() < 0 ? -out : out)
  }

  /// The lengths of the rows of a turn: a chip's scale is off by a tenth at most, and a wrong one of its driver is `ScaleFactor=`'s.
  private static let lengths = 0.9...1.1

  private static func row(
    _ row: Substring.UTF8View.SubSequence, of text: String
  ) throws(MountMatrixError) -> Row {
    let columns = row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard columns.count == 3 else {
      throw .malformed(text: text, reason: "a row has \(columns.count) numbers instead of 3")
    }
    var numbers = Row()
    for (index, column) in columns.enumerated() {
      let word = String(Substring(column.trimmingASCIISpace()))
      guard let number = Double(numeral: word), number.isFinite else {
        throw .malformed(text: text, reason: "'\(word)' is not a number")
      }
      numbers[index] = number
    }
    return numbers
  }

  /// The matrix as hwdb and the kernel write it: "0, -1, 0; 1, 0, 0; 0, 0, 1".
  package var description: String {
    [x, y, z].map { "\(Self.text(of: $0.x)), \(Self.text(of: $0.y)), \(Self.text(of: $0.z))" }
      .joined(separator: "; ")
  }

  private static func text(of number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}

/// Why a text is not a usable mount matrix.
package enum MountMatrixError: Error, Equatable, CustomStringConvertible {
  /// The text does not have the form of a matrix.
  case malformed(text: String, reason: String)
  /// The x and y rows are zero or parallel, so turns of the tablet cannot be detected.
  case singular(text: String)
  /// It does more than to turn and to mirror.
  case notATurn(text: String)

  /// The problem, and the form of a valid matrix.
  package var description: String {
    switch self {
    case .malformed(let text, let reason):
      "mount matrix '\(text)' is malformed: \(reason); a matrix looks like '1, 0, 0; 0, 1, 0; 0, 0, 1'"
    case .singular(let text):
      "mount matrix '\(text)' is singular: its first two rows do not point in different directions"
    case .notATurn(let text):
      "mount matrix '\(text)' is no rotation: its rows are not at right angles to each other, or not of length 1"
    }
  }
}

extension SIMD3<Double> {
  /// The Euclidean length.
  package var length: Double { (self * self).sum().squareRoot() }

  /// The cross product.
  package func cross(_ other: Self) -> Self {
    Self(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }
}

extension UInt8 {
  /// Whether this is an ASCII space, tab, line feed or carriage return.
  var isASCIISpace: Bool {
    self == UInt8(ascii: " ") || (self >= UInt8(ascii: "\t") && self <= UInt8(ascii: "\r"))
  }
}

extension Substring.UTF8View {
  /// The same text without space at either end.
  func trimmingASCIISpace() -> Self {
    var trimmed = self
    while let first = trimmed.first, first.isASCIISpace { trimmed.removeFirst() }
    while let last = trimmed.last, last.isASCIISpace { trimmed.removeLast() }
    return trimmed
  }
}
