// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import Testing

// One after the other: the messages have one socket.
@Suite("Fuzz seeds", .serialized)
struct SeedTests {
  private static func seeds(of target: FuzzTarget) throws -> [URL] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("seeds/\(target.rawValue)")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  @Test("what must hold holds of every seed, past findings among them", arguments: FuzzTarget.allCases)
  func seeds(target: FuzzTarget) throws {
    let seeds = try Self.seeds(of: target)
    #expect(!seeds.isEmpty)
    for seed in seeds {
      let violation = target.violation([UInt8](try Data(contentsOf: seed)))
      #expect(violation == nil, "\(seed.lastPathComponent)")
    }
  }

  @Test("what must hold holds of every seed that is cut off anywhere", arguments: FuzzTarget.allCases)
  func cutOff(target: FuzzTarget) throws {
    for seed in try Self.seeds(of: target) {
      let bytes = [UInt8](try Data(contentsOf: seed))
      for count in stride(from: 0, to: bytes.count, by: max(bytes.count / 64, 1)) {
        let violation = target.violation(Array(bytes[..<count]))
        #expect(violation == nil, "\(count) bytes of \(seed.lastPathComponent)")
      }
    }
  }
}
