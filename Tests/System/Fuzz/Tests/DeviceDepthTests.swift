// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets
import TestSupport
import Testing

/// How far the devices get that are made up to be fuzzed: what only shows while a sensor delivers is found in no other way.
@Suite("Made-up devices", .serialized)
struct DeviceDepthTests {
  private static func seeds() throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("seeds/device")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }.sorted { $0.0 < $1.0 }
  }

  @Test("deliver, but for those whose seeds are named for failing")
  func seedsDeliver() throws {
    for seed in try Self.seeds() {
      let expected = seed.name.hasPrefix("failing-") ? DeviceOutcome.failed : .delivering
      #expect(try deviceOutcome(seed.bytes) == expected, "\(seed.name)")
    }
  }

  @Test("deliver in most cases when they are mutated")
  func mutantsDeliver() throws {
    let seeds = try Self.seeds()
    var random = SeededGenerator(seed: 1)
    var counts: [DeviceOutcome: Int] = [:]
    for _ in 0..<1000 {
      let mutant = Self.mutated(seeds.randomElement(using: &random)?.bytes ?? [], using: &random)
      counts[try deviceOutcome(mutant), default: 0] += 1
    }
    #expect(counts[.delivering, default: 0] > 600, "\(counts)")
  }

  /// Changes up to eight bytes, as libFuzzer does.
  private static func mutated(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
      let index = bytes.indices.randomElement(using: &random) ?? 0
      let byte = UInt8.random(in: .min ... .max, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[index] = byte
      case 1: bytes.insert(byte, at: index)
      case 2: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
      }
    }
    return bytes
  }
}
