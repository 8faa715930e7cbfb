// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SensorSetup

/// Takes a file of this content apart.
private func parse(_ text: String) throws -> IniFile {
  try parse(bytes: Array(text.utf8))
}

private func parse(bytes: [UInt8]) throws -> IniFile {
  let folder = try TemporaryFolder()
  return try IniFile(path: try folder.write(bytes: bytes, to: "test.conf"))
}

@Suite("A configuration file")
struct IniFileTests {
  @Test("is taken apart into entries with section, key, value and line")
  func entries() throws {
    let file = try parse("A=1\n# remark\n[S]\n\nB = 2 ; remark\nC: 3\nD=")
    #expect(
      file.entries == [
        ConfigurationEntry(section: "", key: "A", value: "1", line: 1),
        ConfigurationEntry(section: "S", key: "B", value: "2", line: 5),
        ConfigurationEntry(section: "S", key: "C", value: "3", line: 6),
        ConfigurationEntry(section: "S", key: "D", value: "", line: 7),
      ])
    #expect(file.problems == [])
  }

  @Test("every wrong line is named, and the right ones around them count")
  func wrongLines() throws {
    let file = try parse("one\nA=1\ntwo\n[three\nB=2\n")
    #expect(file.entries.map(\.key) == ["A", "B"])
    #expect(file.problems.map(\.line) == [1, 3, 4])
  }

  @Test("a line that is too long is named and ignored as a whole")
  func overlong() throws {
    let long = String(repeating: "x", count: 5000)
    let file = try parse("A=1\nLong=\(long)\nB=2\n")
    #expect(file.entries.map(\.key) == ["A", "B"])
    #expect(file.problems.map(\.line) == [2])
    #expect(file.problems.first?.reason.contains("too long") == true)
  }

  @Test("a comment may be of any length", arguments: ["#", ";", "  # "])
  func longComment(_ start: String) throws {
    let file = try parse("A=1\n\(start)\(String(repeating: "x", count: 5000))\nB=2\n")
    #expect(file.entries.map(\.key) == ["A", "B"])
    #expect(file.problems == [])
  }

  @Test("a line may be as long as a path to a recording is")
  func longPath() throws {
    let path = "/" + String(repeating: "directory/", count: 15) + "recording.csv"
    #expect(try parse("Sensor=replay:\(path)").entries.map(\.value) == ["replay:\(path)"])
  }

  @Test("binary garbage ends with a few problems, soon, and no crash")
  func garbage() throws {
    // Always the same garbage: the upper bytes of a linear congruential sequence (Knuth's MMIX).
    var state: UInt64 = 1
    for _ in 0..<20 {
      let garbage = (0..<4096).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
      }
      #expect(try parse(bytes: garbage).problems.count <= IniFile.mostProblems + 1)
    }
    let file = try parse(String(repeating: "x\n", count: 1 << 12))
    #expect(file.problems.count == IniFile.mostProblems + 1)
    #expect(file.problems.last?.line == nil)
  }

  @Test("one that is too large is refused, and so is one that does not exist")
  func refused() throws {
    let problem = #expect(throws: ConfigurationProblem.self) {
      try parse(bytes: [UInt8](repeating: UInt8(ascii: "\n"), count: IniFile.largestSize + 1))
    }
    #expect(problem?.reason.hasPrefix("cannot be read: ") == true)
    let missing = #expect(throws: ConfigurationProblem.self) { try IniFile(path: "/nonexistent/a.conf") }
    #expect(missing?.description == "/nonexistent/a.conf: cannot be read: No such file or directory")
  }
}
