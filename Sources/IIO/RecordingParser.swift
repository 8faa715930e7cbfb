// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Takes the lines of a recording, first its header, then its samples.
struct RecordingParser {
  private let path: String
  private var line = 0
  private var columns: Columns?
  private var entries: [Recording.Entry] = []

  /// Where the four columns are in each line.
  private struct Columns {
    var time: Int
    var x: Int
    var y: Int
    var z: Int
    var last: Int { max(max(time, x), max(y, z)) }
  }

  init(path: String) {
    self.path = path
  }

  /// Takes one line, without its line feed.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(SourceError) {
    line += 1
    var text = Substring(decoding: bytes, as: UTF8.self)
    if line == 1, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    text = trimmed(text)
    guard !text.isEmpty, !text.utf8.starts(with: "#".utf8) else { return }
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
    guard let columns else {
      columns = Columns(
        time: try column("t_s", in: fields), x: try column("ax", in: fields), y: try column("ay", in: fields),
        z: try column("az", in: fields))
      return
    }
    guard fields.count > columns.last else {
      throw wrong("\(columns.last + 1) columns were expected, not \(fields.count)")
    }
    let entry = Recording.Entry(
      seconds: try number(fields[columns.time], column: "t_s"),
      acceleration: Acceleration(
        x: try number(fields[columns.x], column: "ax"), y: try number(fields[columns.y], column: "ay"),
        z: try number(fields[columns.z], column: "az")))
    // Nanoseconds since boot, with a century on the clock, still fit.
    guard abs(entry.seconds) < 5e9 else { throw wrong("t_s: \(entry.seconds) s is out of range") }
    if let last = entries.last, entry.seconds < last.seconds {
      throw wrong("time goes back from \(last.seconds) s to \(entry.seconds) s")
    }
    entries.append(entry)
  }

  /// The samples, once every line was taken.
  func finish() throws(SourceError) -> [Recording.Entry] {
    guard columns != nil else { throw wrong("a line naming the columns t_s, ax, ay and az was expected") }
    guard !entries.isEmpty else { throw wrong("at least one sample was expected") }
    return entries
  }

  private func column(_ name: String, in fields: [Substring]) throws(SourceError) -> Int {
    guard let index = fields.firstIndex(where: { $0 == name }) else { throw wrong("no column \"\(name)\"") }
    return index
  }

  private func number(_ text: Substring, column: String) throws(SourceError) -> Double {
    guard let number = finiteNumber(text) else {
      throw wrong("\(column): a finite number was expected, not \"\(text)\"")
    }
    return number
  }

  private func wrong(_ reason: String) -> SourceError {
    .malformedRecording(path: path, line: line, reason: reason)
  }
}
