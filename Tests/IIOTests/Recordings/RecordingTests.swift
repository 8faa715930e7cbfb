// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Orientation
import Testing

@Suite("A recording")
struct RecordingTests {
  private func recording(_ text: String) throws(SourceError) -> Recording {
    try Recording(parsing: Array(text.utf8), path: "r.csv")
  }

  private func entry(_ seconds: Double, _ x: Double, _ y: Double, _ z: Double) -> Recording.Entry {
    Recording.Entry(seconds: seconds, acceleration: Acceleration(x: x, y: y, z: z))
  }

  @Test("is read by the names of its columns, further ones ignored")
  func columns() throws {
    let read = try recording("az,note,t_s,ay,ax\n3,up,0.5,2,1\n-3e-1,\"x\",1,2.5,1\n")
    #expect(read.entries == [entry(0.5, 1, 2, 3), entry(1, 1, 2.5, -0.3)])
  }

  @Test("may have carriage returns, blank lines, remarks, blanks, a byte order mark and no last line feed")
  func spelling() throws {
    let read = try recording("\u{FEFF}t_s, ax, ay, az\r\n\r\n# shaken\r\n0, 1, 2, 3\r\n  \n0.04,1 ,2,3")
    #expect(read.entries == [entry(0, 1, 2, 3), entry(0.04, 1, 2, 3)])
  }

  @Test(
    "that is wrong is refused with the line and the reason",
    arguments: [
      ("", 1, "columns t_s, ax, ay and az"), ("t_s,ax,ay\n0,1,2\n", 1, "\"az\""),
      ("t_s,ax,ay,az\n", 2, "at least one sample"), ("\n\nt_s,ax,ay,az\n0,1,2\n", 4, "4 columns"),
      ("t_s,ax,ay,az\n0,1,2,3\n0.1,1,two,3\n", 3, "ay: a finite number was expected, not \"two\""),
      ("t_s,ax,ay,az\n0,nan,2,3\n", 2, "ax: a finite number"), ("t_s,ax,ay,az\n0,1,2,inf\n", 2, "az"),
      ("t_s,ax,ay,az\n0,,2,3\n", 2, "ax"), ("t_s,ax,ay,az\n,1,2,3\n", 2, "t_s"),
      ("t_s,ax,ay,az\n1,1,2,3\n0.9,1,2,3\n", 3, "time goes back"),
      ("t_s,ax,ay,az\n1e300,1,2,3\n", 2, "out of range"),
      // From here to as much after zero are more nanoseconds than a clock has.
      ("t_s,ax,ay,az\n-4.9e9,1,2,3\n", 2, "out of range"), ("t_s,ax,ay,az\n0,1 2,2,3\n", 2, "ax"),
      ("t_s,ax,ay,az\n0,0x10,2,3\n", 2, "ax"),
    ])
  func errors(_ text: String, _ line: Int, _ reason: String) {
    do {
      let read = try recording(text)
      Issue.record("\(read.entries.count) samples were read")
    } catch {
      guard case .malformedRecording("r.csv", line, let said) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(said.contains(reason))
    }
  }

  @Test("in which time goes back can be taken as it is, and its ticks start anew there")
  func backwardTime() throws {
    var text = "t_s,ax,ay,az\n"
    for time in ["5.00", "5.01", "5.02", "5.04", "1.00", "1.02", "1.04"] { text += "\(time),0,9.8,0\n" }
    let read = try Recording(parsing: Array(text.utf8), path: "r.csv", backwardTime: .taken)
    #expect(read.entries.count == 7)
    #expect(read.backwardLines == [6])
    #expect(read.entries(atRate: 25).map(\.seconds) == [5, 5.04, 1, 1.04])
  }

  @Test("may have numbers with exponents, signs and as many digits as a Double has")
  func numbers() throws {
    let read = try recording("t_s,ax,ay,az\n-1.5e1,+2,9.806649999999999,1E-3\n")
    #expect(read.entries == [entry(-15, 2, 9.806649999999999, 0.001)])
  }

  @Test("that is binary is refused")
  func binary() {
    #expect(throws: SourceError.self) {
      try Recording(parsing: [0xff, 0x00, 0xfe, 0x0a, 0x80, 0x2c], path: "r.csv")
    }
  }

  @Test("that does not exist, or is a directory, is refused by its name")
  func files() {
    #expect(throws: SourceError.missingAttribute(path: "/nonexistent.csv")) {
      try Recording(contentsOf: "/nonexistent.csv")
    }
    #expect(throws: SourceError.system(operation: "reading /tmp", code: EISDIR)) {
      try Recording(contentsOf: "/tmp")
    }
  }

  @Test("that has no end is refused at the limit")
  func endless() {
    do {
      _ = try Recording(contentsOf: "/dev/zero")
      Issue.record("no error")
    } catch {
      guard case .malformed(path: "/dev/zero", text: _, reason: _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test("gives the hot loop the first sample at or after each tick")
  func sampling() throws {
    let lines = (0..<101).map { "\(Double($0 + 30) / 100),\($0),0,0" }.joined(separator: "\n")
    let read = try recording("t_s,ax,ay,az\n" + lines)
    #expect(read.entries(atRate: 25).map(\.acceleration.x) == (0...25).map { Double($0 * 4) })
    #expect(read.entries(atRate: 100) == read.entries)
    #expect(read.entries(atRate: 1000) == read.entries)
    // 30 Hz: ticks at 0, 0.0333, 0.0667, 0.1, ...
    #expect(read.entries(atRate: 30).map(\.acceleration.x).prefix(5) == [0, 4, 7, 10, 14])
    #expect(read.meanRate == 100)
  }

  @Test("gives no sample twice where it has a gap, and keeps to the ticks after it")
  func gap() throws {
    let read = try recording("t_s,ax,ay,az\n0,0,0,0\n0.02,1,0,0\n1.01,2,0,0\n1.03,3,0,0\n1.05,4,0,0\n")
    #expect(read.entries(atRate: 25).map(\.acceleration.x) == [0, 2, 4])
  }

  @Test("of one sample has a rate to go on with")
  func single() throws {
    let read = try recording("t_s,ax,ay,az\n5,1,2,3\n")
    #expect(read.meanRate == 25)
    #expect(read.entries(atRate: 25) == read.entries)
  }
}
