// SPDX-License-Identifier: Apache-2.0

// The text of an hwdb file: records with blank lines between them, each of match lines and then properties, which begin
// with a space. Of records that give the same property the last one of the file holds, and so does the last file by name
// (systemd's hwdb(7)). A new record therefore goes to the end, whatever else may match the sensor.

import Systemd

/// The text of an hwdb file.
struct HwdbText: Equatable, CustomStringConvertible {
  /// The records and comments, each with its lines.
  private var paragraphs: [[String]]

  private static let property = "ACCEL_MOUNT_MATRIX"
  private static let author = "# Found by orientationctl calibrate"

  /// Takes a file's text apart.
  init(_ text: String) {
    // systemd takes a carriage return for the end of a line too; and to Swift it is one character with a line feed after it.
    paragraphs = text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
      .split { line in line.allSatisfy(\.isWhitespace) }.map { $0.map(String.init) }
  }

  /// The text; a blank line stands before each record.
  var description: String {
    paragraphs.map { $0.map { "\($0)\n" }.joined() }.joined(separator: "\n")
  }

  /// Gives a sensor its matrix, in place of the one that it has here under the same match.
  ///
  /// Nothing else changes: no other record, and no other property of this one.
  mutating func set(matrix: String, of sensor: String, match: HwdbMatch) {
    paragraphs = paragraphs.compactMap { Self.withoutMatrix($0, of: match) }
    paragraphs.append(Self.record(matrix: matrix, of: sensor, match: match))
  }

  /// The lines that ``set(matrix:of:match:)`` adds, three whatever the sensor is called: a line in its name would be one here.
  static func record(matrix: String, of sensor: String, match: HwdbMatch) -> [String] {
    ["\(author): \(sensor.printable)", match.pattern, " \(property)=\(matrix)"]
  }

  /// A record without the matrix of a match, nil where nothing is left of it.
  ///
  /// One that has further matches keeps it for these: the new record stands behind it and holds.
  private static func withoutMatrix(_ record: [String], of match: HwdbMatch) -> [String]? {
    let matches = record.filter { !$0.hasPrefix("#") && !$0.hasPrefix(" ") }
    guard matches == [match.pattern] else { return record }
    let rest = record.filter { !$0.hasPrefix(" \(property)=") && !$0.hasPrefix(author) }
    if rest.contains(where: { $0.hasPrefix(" ") }) { return rest }
    let comments = rest.filter { $0.hasPrefix("#") }
    return comments.isEmpty ? nil : comments
  }
}
