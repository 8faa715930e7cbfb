// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIO

@Suite("The layout of a scan")
struct ScanLayoutTests {
  private func layout(_ formats: (Int, String)...) throws -> ScanLayout { try layout(formats) }

  private func layout(_ formats: [(Int, String)]) throws -> ScanLayout {
    try ScanLayout(
      try formats.map { ScanChannel(id: "\($0.0)", index: $0.0, format: try ScanFormat(parsing: $0.1)) },
      of: "kxcjk1013")
  }

  private func refusal(_ reason: String) -> SourceError { .noBuffer(device: "kxcjk1013", reason: reason) }

  @Test("aligns the timestamp behind three 16-bit axes")
  func usual() throws {
    let layout = try layout(
      (0, "le:s12/16>>4"), (1, "le:s12/16>>4"), (2, "le:s12/16>>4"), (3, "le:s64/64>>0"))
    #expect((0...3).map(layout.offset) == [0, 2, 4, 8])
    #expect(layout.scanSize == 16)
  }

  @Test("needs no padding behind three 16-bit axes alone")
  func noTimestamp() throws {
    let layout = try layout((0, "le:s16/16>>0"), (1, "le:s16/16>>0"), (2, "le:s16/16>>0"))
    #expect(layout.scanSize == 6)
  }

  @Test("follows the scan index, whatever the order of the channels")
  func order() throws {
    let layout = try layout(
      (7, "le:s64/64>>0"), (2, "le:s16/16>>0"), (0, "le:s16/16>>0"), (1, "le:s32/32>>0"))
    #expect([0, 1, 2, 7].map(layout.offset) == [0, 4, 8, 16])
    #expect(layout.scanSize == 24)
  }

  @Test("makes room for further channels, of other sizes, between the axes")
  func furtherChannels() throws {
    let layout = try layout(
      (0, "le:s16/16>>0"), (1, "le:s16/16>>0"), (2, "le:s16/16>>0"), (3, "le:u8/8>>0"), (4, "be:s32/32>>0"))
    #expect((0...4).map(layout.offset) == [0, 2, 4, 6, 8])
    #expect(layout.scanSize == 12)
  }

  @Test("aligns a repeated element to all of its repeats, as the kernel does")
  func repeats() throws {
    let layout = try layout((0, "le:s16/16>>0"), (1, "le:s32/32X4>>0"))
    #expect((0...1).map(layout.offset) == [0, 16])
    #expect(layout.scanSize == 32)
  }

  @Test("has one place for channels that share an index")
  func sharedIndex() throws {
    let layout = try layout(
      (0, "le:s16/16>>0"), (1, "le:s16/16>>0"), (1, "le:s16/16>>0"), (2, "le:s16/16>>0"))
    #expect([0, 1, 2].map(layout.offset) == [0, 2, 4])
    #expect(layout.scanSize == 6)
  }

  @Test("is refused where channels share an index and are not stored alike, or have none")
  func contradictions() throws {
    let reason = "two channels have the scan index 1, but the formats le:s16/16>>0 and le:s32/32>>0"
    #expect(throws: refusal(reason)) {
      _ = try layout((0, "le:s16/16>>0"), (1, "le:s16/16>>0"), (1, "le:s32/32>>0"))
    }
    #expect(throws: refusal("a channel has no scan index")) { _ = try layout((-1, "le:s16/16>>0")) }
  }

  @Test("is refused where a scan would be of an absurd size, whatever the number of its channels")
  func tooLarge() throws {
    #expect(throws: refusal("a scan would take at least 79992 bytes")) {
      _ = try layout((0, "le:s64/64X9999>>0"))
    }
    let channels = (0..<1000).map { ($0, "le:s16/16>>0") }
    #expect(throws: SourceError.self) { _ = try layout(channels) }
  }

  @Test("has no place for a channel that is not enabled")
  func absent() throws {
    #expect(throws: refusal("1 is not a scan element")) {
      _ = try layout((0, "le:s16/16>>0")).element("1")
    }
  }
}

extension ScanLayout {
  /// Where the channel begins whose id is this number; nil if it is not enabled.
  fileprivate func offset(of id: Int) -> Int? { try? element("\(id)").offset }
}
