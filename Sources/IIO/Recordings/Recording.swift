// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Orientation

/// A recorded movement: a CSV file with the columns `t_s`, `ax`, `ay` and `az`.
///
/// Time is in seconds from any start; accelerations are in m/s^2 in the screen's frame. The first line contains the names
/// of the columns; other columns are ignored, so any log with these four is a recording. Lines that start with `#` are
/// comments.
package struct Recording: Equatable, Sendable {
  /// A sample of a recording.
  package struct Entry: Equatable, Sendable, BitwiseCopyable {
    /// The time in seconds, as recorded.
    package var seconds: Double
    /// What the sensor read, in m/s^2.
    package var acceleration: Acceleration<ScreenFrame>

    /// Creates a sample.
    package init(seconds: Double, acceleration: Acceleration<ScreenFrame>) {
      self.seconds = seconds
      self.acceleration = acceleration
    }
  }

  /// The largest file that is read, in bytes: four hours at 100 Hz, with room to spare.
  package static let sizeLimit = 64 << 20

  /// What to do if the time of a sample is before that of the previous one.
  package enum BackwardTime: Equatable, Sendable {
    /// The recording is refused: it cannot be replayed.
    case refused
    /// The sample is used: the pipeline restarts its filter there, as with a sensor whose clock jumps.
    case taken
  }

  /// All samples, in the order of the file; at least one.
  package let entries: [Entry]
  /// The lines at which time goes back, counted from 1; empty if that is refused.
  package let backwardLines: [Int]

  /// Reads a recording from a file.
  ///
  /// - Throws: ``SourceError``: why the file cannot be read, or ``SourceError/malformedRecording(path:line:reason:)``.
  package init(contentsOf path: String, backwardTime: BackwardTime = .refused) throws(SourceError) {
    try self.init(
      parsing: try readWholeFile(path, limit: Self.sizeLimit), path: path, backwardTime: backwardTime)
  }

  /// Finds out whether a recording can be replayed.
  ///
  /// A pipe is not checked, because it can be read only once.
  ///
  /// - Parameter path: the file.
  /// - Throws: ``SourceError/unreadableRecording(reason:)``
  package static func check(_ path: String) throws(SourceError) {
    var status = stat()
    if stat(path, &status) == 0, isPipe(status.st_mode) { return }
    do throws(SourceError) {
      _ = try Recording(contentsOf: path)
    } catch {
      throw .unreadableRecording(reason: "\(error)")
    }
  }

  /// Parses the content of a file; errors contain its path.
  ///
  /// - Throws: ``SourceError/malformedRecording(path:line:reason:)`` for a missing column, a value that is not a finite
  ///   number, a line that is too short, time that goes back, or a file without samples.
  package init(
    parsing bytes: [UInt8], path: String, backwardTime: BackwardTime = .refused
  ) throws(SourceError) {
    var parser = RecordingParser(path: path, backwardTime: backwardTime)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      try parser.take(line)
    }
    entries = try parser.finish()
    backwardLines = parser.backwardLines
  }

  /// The samples that the hot loop would see at a rate: the first one at or after each tick.
  ///
  /// The ticks are 1/`rate` seconds apart and start with the first sample. If the recording has a gap or a lower rate, the
  /// ticks without a sample of their own are skipped: no sample is used twice. If time goes back, the ticks start again.
  package func entries(atRate rate: Double) -> [Entry] {
    guard rate > 0, var last = entries.first else { return entries }
    var start = last.seconds
    // Recorded times are rounded, and a microsecond makes no difference.
    let tolerance = 1e-6
    var tick = 0.0
    return entries.filter { entry in
      if entry.seconds < last.seconds {
        start = entry.seconds
        tick = 0
      }
      last = entry
      let passed = (entry.seconds - start + tolerance) * rate
      guard passed >= tick else { return false }
      tick = passed.rounded(.down) + 1
      return true
    }
  }

  /// The mean rate of the samples, in hertz; 25, the daemon's default, if there is only one sample.
  package var meanRate: Double {
    guard let first = entries.first, let last = entries.last, last.seconds > first.seconds else { return 25 }
    return Double(entries.count - 1) / (last.seconds - first.seconds)
  }
}

/// Reads a file of at most `limit` bytes.
private func readWholeFile(_ path: String, limit: Int) throws(SourceError) -> [UInt8] {
  do throws(FileError) {
    return try readBytes(of: path, limit: limit)
  } catch {
    guard error.code == EFBIG else {
      throw SourceError(code: error.code, subject: path, operation: "reading")
    }
    throw .malformed(path: path, text: "more than \(limit) bytes", reason: "a shorter recording was expected")
  }
}

/// Parses the lines of a recording, first the header, then the samples.
private struct RecordingParser {
  let path: String
  let backwardTime: Recording.BackwardTime
  var line = 0
  /// The positions of the columns t_s, ax, ay and az in each line.
  var columns: [Int]?
  var entries: [Recording.Entry] = []
  /// The lines at which time goes back, counted from 1.
  var backwardLines: [Int] = []

  private static let names = ["t_s", "ax", "ay", "az"]

  /// Parses one line, without its line feed.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(SourceError) {
    line += 1
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let marked = line == 1 && bytes.starts(with: byteOrderMark)
    let text = trimmed(marked ? bytes.dropFirst(byteOrderMark.count) : bytes)
    guard let first = text.first, first != UInt8(ascii: "#") else { return }
    let fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      trimmed($0)
    }
    guard let columns else {
      var found: [Int] = []
      for name in Self.names { found.append(try column(name, in: fields)) }
      columns = found
      return
    }
    let count = (columns.max() ?? 0) + 1
    guard fields.count >= count else { throw wrong("\(count) columns were expected, not \(fields.count)") }
    func value(_ column: Int) throws(SourceError) -> Double {
      try number(fields[columns[column]], column: Self.names[column])
    }
    let entry = Recording.Entry(
      seconds: try value(0), acceleration: Acceleration(x: try value(1), y: try value(2), z: try value(3)))
    // The limit is more than a century; the nanoseconds from the first sample to the last fit an integer, whatever their
    // signs.
    guard abs(entry.seconds) < 4e9 else { throw wrong("t_s: \(entry.seconds) s is out of range") }
    if let last = entries.last, entry.seconds < last.seconds {
      guard backwardTime == .taken else {
        throw wrong("time goes back from \(last.seconds) s to \(entry.seconds) s")
      }
      backwardLines.append(line)
    }
    entries.append(entry)
  }

  /// The samples, after all lines.
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

  private func number(_ bytes: ArraySlice<UInt8>, column: String) throws(SourceError) -> Double {
    // Most numbers are short decimals. The others, with an exponent or more digits, take the slow way.
    if bytes.count <= 15, let number = bytes.withUnsafeBytes(decimalNumber) { return number }
    let text = Substring(decoding: bytes, as: UTF8.self)
    guard let number = finiteNumber(text) else {
      throw wrong("\(column): a finite number was expected, not \"\(text)\"")
    }
    return number
  }

  private func wrong(_ reason: String) -> SourceError {
    .malformedRecording(path: path, line: line, reason: reason)
  }
}
