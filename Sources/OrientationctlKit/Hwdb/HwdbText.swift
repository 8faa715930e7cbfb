// SPDX-License-Identifier: Apache-2.0

// The text of an hwdb file: records with blank lines between them. A record has match lines, and then properties, which begin
// with a space. If several records that match set the same property, the last one in the file counts, and the last file
// by name (systemd's hwdb(7)). So a new record is added at the end, and overrides all others that match the sensor.

import SensorSetup
import Systemd

/// The text of an hwdb file.
struct HwdbText: Equatable, CustomStringConvertible {
  /// The lines of each record or comment.
  private var paragraphs: [[String]]

  private static let property = "ACCEL_MOUNT_MATRIX"
  private static let author = "# Found by orientationctl calibrate"

  /// Splits the text of a file into records.
  init(_ text: String) {
    // For systemd, a carriage return also ends a line. In Swift, it is one character with a line feed that follows.
    paragraphs = text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
      .split { line in line.allSatisfy(\.isWhitespace) }.map { $0.map(String.init) }
  }

  /// The text, with a blank line between records.
  var description: String {
    paragraphs.map { $0.map { "\($0)\n" }.joined() }.joined(separator: "\n")
  }

  /// Sets the matrix of a sensor, in place of the one under the same match.
  ///
  /// Nothing else changes: no other record, and no other property of this one.
  mutating func set(matrix: String, of sensor: String, match: HwdbMatch) {
    paragraphs = paragraphs.compactMap { Self.withoutMatrix($0, of: match) }
    paragraphs.append(Self.record(matrix: matrix, of: sensor, match: match))
  }

  /// The three lines that ``set(matrix:of:match:)`` adds; a line break in the sensor's name is escaped.
  static func record(matrix: String, of sensor: String, match: HwdbMatch) -> [String] {
    ["\(author): \(sensor.printable)", match.pattern, " \(property)=\(matrix)"]
  }

  /// A record without the matrix of a match; nil if nothing is left of it.
  ///
  /// A record with more matches keeps its matrix for these: the new record comes after it, and overrides it.
  private static func withoutMatrix(_ record: [String], of match: HwdbMatch) -> [String]? {
    let matches = record.filter { !$0.hasPrefix("#") && !$0.hasPrefix(" ") }
    guard matches == [match.pattern] else { return record }
    let rest = record.filter { !$0.hasPrefix(" \(property)=") && !$0.hasPrefix(author) }
    if rest.contains(where: { $0.hasPrefix(" ") }) { return rest }
    let comments = rest.filter { $0.hasPrefix("#") }
    return comments.isEmpty ? nil : comments
  }
}
