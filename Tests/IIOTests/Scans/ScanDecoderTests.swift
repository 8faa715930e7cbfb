// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@testable import IIO

/// A channel of a random scan, and what it holds.
private struct RandomChannel {
  var id: String
  var reference: BitByBit
  var value: Int64
  var scale = ChannelScale.processed

  /// The channel's bytes: its value as often as it repeats.
  func bytes(padding: Bool) -> [UInt8] {
    (0..<reference.repeats).flatMap { _ in reference.bytes(of: value, padding: padding) }
  }
}

@Suite("A decoder of scans")
struct ScanDecoderTests {
  @Test("finds the axes in any scan: channels in any order, further ones between them, time stamp or none")
  func random() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let padding = Bool.random(using: &random)
      let channels = scan(using: &random)
      let indexes = Array((0..<channels.count * 3).shuffled(using: &random).prefix(channels.count)).sorted()
      var listed: [ScanChannel] = []
      for (channel, index) in zip(channels, indexes) {
        let format = try ScanFormat(parsing: channel.reference.text)
        listed.append(ScanChannel(id: channel.id, index: index, format: format))
      }
      listed.shuffle(using: &random)
      func channel(_ id: String) -> RandomChannel? { channels.first { $0.id == id } }
      let decoder = try ScanDecoder(scansOf: listed, name: "random") { (axis) throws(SourceError) in
        channel(axis.channel)?.scale ?? .processed
      }
      let bytes = laidOut(channels, padding: padding)
      #expect(decoder.scanSize == bytes.count)
      try bytes.withUnsafeBytes { memory in
        let scan = try #require(memory.baseAddress)
        let decoded = decoder.acceleration(at: scan)
        for (axis, value) in zip(Axis.allCases, [decoded.x, decoded.y, decoded.z]) {
          let expected = try #require(channel(axis.channel))
          #expect(value == (Double(expected.value) + expected.scale.offset) * expected.scale.scale)
        }
        #expect(decoder.timestamp(at: scan)?.nanoseconds == channel("timestamp")?.value)
      }
    }
  }

  /// Three axes in any order, each stored and scaled in its own way, others between them, and perhaps a time stamp.
  private func scan(using random: inout SeededGenerator) -> [RandomChannel] {
    var channels = ["accel_x", "accel_y", "accel_z"].map { axis($0, using: &random) }
    for number in 0..<Int.random(in: 0...4, using: &random) {
      var other = axis("other\(number)", using: &random)
      other.reference.repeats = [1, 2, 4].randomElement(using: &random) ?? 1
      channels.append(other)
    }
    channels.shuffle(using: &random)
    guard Bool.random(using: &random) else { return channels }
    let stamp = BitByBit(isLittleEndian: true, isSigned: true, bits: 64, storageBits: 64, shift: 0)
    return channels + [
      RandomChannel(id: "timestamp", reference: stamp, value: .random(in: 0...1 << 62, using: &random))
    ]
  }

  private func axis(_ id: String, using random: inout SeededGenerator) -> RandomChannel {
    let reference = BitByBit.random(using: &random)
    // More bits than a Double's 53 are no accelerometer's.
    let magnitude = Int64(1) << Int64(min(reference.bits, 53) - 1)
    let range = reference.isSigned ? -magnitude...magnitude - 1 : 0...magnitude - 1
    return RandomChannel(
      id: id, reference: reference, value: .random(in: range, using: &random),
      scale: ChannelScale(
        offset: .random(in: -100...100, using: &random), scale: .random(in: 1e-6...1, using: &random)))
  }

  /// The scan as the kernel would lay it out, byte by byte.
  private func laidOut(_ channels: [RandomChannel], padding: Bool) -> [UInt8] {
    let filler: UInt8 = padding ? 0xff : 0
    var bytes: [UInt8] = []
    for channel in channels {
      let element = channel.bytes(padding: padding)
      while bytes.count % element.count != 0 { bytes.append(filler) }
      bytes += element
    }
    let largest = channels.map { $0.bytes(padding: padding).count }.max() ?? 1
    while bytes.count % largest != 0 { bytes.append(filler) }
    return bytes
  }

  @Test("needs all three axes")
  func missingAxis() throws {
    let format = try ScanFormat(parsing: "le:s16/16>>0")
    let channels = [ScanChannel(id: "accel_x", index: 0, format: format)]
    #expect(throws: SourceError.noBuffer(device: "half", reason: "accel_y is not a scan element")) {
      _ = try ScanDecoder(scansOf: channels, name: "half") { (_) throws(SourceError) in .processed }
    }
  }
}
