// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Takes the lines of a recording, first its header, then its samples.
struct RecordingParser {
  private let path: String
  private let backwardTime: Recording.BackwardTime
  private var line = 0
  private var columns: Columns?
  private var entries: [Recording.Entry] = []
  /// The lines at which time goes back, counted from 1.
  private(set) var backwardLines: [Int] = []

  /// Where the four columns are in each line.
  private struct Columns {
    var time: Int
    var x: Int
    var y: Int
    var z: Int
    var last: Int { max(max(time, x), max(y, z)) }
  }

  init(path: String, backwardTime: Recording.BackwardTime) {
    self.path = path
    self.backwardTime = backwardTime
  }

  /// Takes one line, without its line feed.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(SourceError) {
    line += 1
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let marked = line == 1 && bytes.starts(with: byteOrderMark)
    let text = trimmed(marked ? bytes.dropFirst(byteOrderMark.count) : bytes)
    guard let first = text.first, first != UInt8(ascii: "#") else { return }
    let fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(trimmed)
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
    // A century on the clock fits, and so do the nanoseconds from the first sample to the last, whatever their signs.
    guard abs(entry.seconds) < 4e9 else { throw wrong("t_s: \(entry.seconds) s is out of range") }
    if let last = entries.last, entry.seconds < last.seconds {
      guard backwardTime == .taken else {
        throw wrong("time goes back from \(last.seconds) s to \(entry.seconds) s")
      }
      backwardLines.append(line)
    }
    entries.append(entry)
  }

  /// The samples, once every line was taken.
  func finish() throws(SourceError) -> [Recording.Entry] {
    guard columns != nil else { throw wrong("a line naming the columns t_s, ax, ay and az was expected") }
    guard !entries.isEmpty else { throw wrong("at least one sample was expected") }
    return entries
  }

  private func column(_ name: String, in fields: [ArraySlice<UInt8>]) throws(SourceError) -> Int {
    guard let index = fields.firstIndex(where: { $0.elementsEqual(name.utf8) }) else {
      throw wrong("no column \"\(name)\"")
    }
    return index
  }

  private func number(_ bytes: ArraySlice<UInt8>, column: StaticString) throws(SourceError) -> Double {
    // Nearly every number is a short decimal. The rest, with an exponent or more digits, takes the long way.
    if bytes.count <= 15, let number = bytes.withUnsafeBytes(decimalNumber) { return number }
    let text = Substring(decoding: bytes, as: UTF8.self)
    guard let number = finiteNumber(text) else {
      throw wrong("\(column): a finite number was expected, not \"\(text)\"")
    }
    return number
  }

  private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
    else { return [] }
    return bytes[first...last]
  }

  private func wrong(_ reason: String) -> SourceError {
    .malformedRecording(path: path, line: line, reason: reason)
  }
}
