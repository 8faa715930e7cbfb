// SPDX-License-Identifier: Apache-2.0

import CINI
import CLinux
import IIO

/// One `key=value` line of a configuration file.
package struct ConfigurationEntry: Equatable {
  package let section: String
  package let key: String
  package let value: String
  package let line: Int
}

/// A part of the configuration that was ignored, so the default is used instead.
package struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
  /// The file's path.
  package let path: String
  /// The line, counted from 1; nil if the problem concerns the whole file.
  package let line: Int?
  /// The problem, and what would be right.
  package let reason: String

  /// "path:line: reason", as compilers write it.
  package var description: String {
    if let line { return "\(path):\(line): \(reason)" }
    return "\(path): \(reason)"
  }
}

/// A configuration file, parsed by inih, with the line of every entry.
package struct IniFile {
  /// Larger files are refused, in bytes: the file that is shipped, which explains every key, has 6,000.
  static let largestSize = 1 << 16
  /// How many wrong lines of a file are reported; a file with more is not a configuration.
  static let mostProblems = 20

  package private(set) var entries: [ConfigurationEntry] = []
  package private(set) var problems: [ConfigurationProblem] = []

  /// Reads and parses a file.
  ///
  /// - Throws: ``ConfigurationProblem`` if it cannot be read.
  package init(path: String) throws(ConfigurationProblem) {
    let text: [UInt8]
    do throws(FileError) {
      // A pipe without a writer reads as empty, and causes no delay.
      text = try readBytes(of: path, limit: Self.largestSize, waiting: false)
    } catch {
      throw ConfigurationProblem(
        path: path, line: nil, reason: "cannot be read: \(String(cString: strerror(error.code)))")
    }
    self.init(text: text, path: path)
  }

  /// Parses the content of a file; its problems contain `path`.
  package init(text: [UInt8], path: String) {
    // inih reports only the first wrong line. So it parses the file again without that line, until no line is wrong.
    let reader = LineReader(
      lines: text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false))
    while true {
      let wrong = reader.parse()
      guard wrong > 0 else { break }
      guard problems.count < Self.mostProblems else {
        problems.append(
          ConfigurationProblem(path: path, line: nil, reason: "further wrong lines are ignored"))
        break
      }
      problems.append(
        ConfigurationProblem(
          path: path, line: wrong, reason: "neither a [section], a comment, nor a Key=value line; ignored"))
      guard reader.dropLine(wrong) else { break }
    }
    for line in reader.overlong.sorted() where problems.count < Self.mostProblems {
      problems.append(ConfigurationProblem(path: path, line: line, reason: "the line is too long; ignored"))
    }
    entries = reader.entries
  }
}

/// Passes a file's lines to inih one by one, to know the line of each entry.
private final class LineReader {
  private var lines: [ArraySlice<UInt8>]
  private var next = 0
  private(set) var entries: [ConfigurationEntry] = []
  private(set) var overlong: Set<Int> = []

  init(lines: [ArraySlice<UInt8>]) {
    self.lines = lines
  }

  /// Parses all lines; returns the number of the first wrong one, or 0.
  func parse() -> Int {
    next = 0
    entries = []
    let stream = Unmanaged.passUnretained(self).toOpaque()
    let result = ini_parse_stream(
      { buffer, size, stream in
        guard let buffer, let stream else { return nil }
        let reader = Unmanaged<LineReader>.fromOpaque(stream).takeUnretainedValue()
        return reader.read(into: buffer, size: Int(size)) ? buffer : nil
      },
      stream,
      { stream, section, name, value in
        guard let stream, let section, let name, let value else { return 1 }
        let reader = Unmanaged<LineReader>.fromOpaque(stream).takeUnretainedValue()
        reader.entries.append(
          ConfigurationEntry(
            section: String(cString: section), key: String(cString: name), value: String(cString: value),
            line: reader.next))
        return 1
      },
      stream)
    return Int(result)
  }

  /// Empties a line, so that the next parse ignores it; false if it is empty already.
  func dropLine(_ number: Int) -> Bool {
    guard lines.indices.contains(number - 1), !lines[number - 1].isEmpty else { return false }
    lines[number - 1] = []
    return true
  }

  /// Like fgets(3), but it never returns a part of a line.
  private func read(into buffer: UnsafeMutablePointer<CChar>, size: Int) -> Bool {
    guard next < lines.count else { return false }
    // inih would treat an indented line as the continuation of the line before.
    var line = lines[next].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    next += 1
    if line.count > size - 2 {
      // A comment may be of any length.
      if line.first != UInt8(ascii: "#"), line.first != UInt8(ascii: ";") { overlong.insert(next) }
      line = []
    }
    for (offset, byte) in line.enumerated() { buffer[offset] = CChar(bitPattern: byte) }
    buffer[line.count] = CChar(bitPattern: UInt8(ascii: "\n"))
    buffer[line.count + 1] = 0
    return true
  }
}
