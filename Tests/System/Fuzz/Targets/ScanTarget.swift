// SPDX-License-Identifier: Apache-2.0

import Orientation

@testable import IIO

/// A first line of formats, one a channel; after it, the bytes of a scan.
///
/// A format that is accepted is written as it is read; channels lie apart, aligned and within the scan; and each value
/// fits into its bits.
func checkScan(_ input: [UInt8]) throws(Violation) {
  let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let words = parts[0].split(separator: UInt8(ascii: " ")).prefix(8)
  var formats: [ScanFormat] = []
  for word in words {
    guard let format = try? ScanFormat(parsing: String(decoding: word, as: UTF8.self)) else { continue }
    let again = try? ScanFormat(parsing: format.description)
    try expect(again == format, "'\(format)' is not what it is written as")
    formats.append(format)
  }
  let scan = parts.count > 1 ? Array(parts[1]) : []
  try checkLayout(of: formats)
  for format in formats { try checkValue(of: format, in: scan) }
  try decode(scan, formats)
}

private func checkLayout(of formats: [ScanFormat]) throws(Violation) {
  let channels = formats.enumerated().map {
    ScanChannel(id: "\($0.offset)", index: $0.offset, format: $0.element)
  }
  guard let layout = try? ScanLayout(channels, of: "f") else {
    return try expect(formats.reduce(0) { $0 + $1.byteCount } > 256, "small scans are refused")
  }
  try expect(layout.scanSize <= 2 * ScanLayout.largestScan, "a scan of \(layout.scanSize) bytes")
  var end = 0
  for (index, format) in formats.enumerated() {
    guard let offset = try? layout.element("\(index)").offset else {
      throw Violation(reason: "no place for \(format)")
    }
    try expect(offset >= end && offset % format.byteCount == 0, "\(format) at \(offset), after \(end)")
    end = offset + format.byteCount
  }
  try expect(layout.scanSize >= end, "the scan ends within a channel")
}

private func checkValue(of format: ScanFormat, in scan: [UInt8]) throws(Violation) {
  guard scan.count >= format.byteCount else { return }
  let value = scan.withUnsafeBytes { bytes in bytes.baseAddress.map { format.value(at: $0) } ?? 0 }
  let (least, most): (Double, Double) =
    switch format.signedness {
    case .signed: (-0x1p63 / pow2(64 - format.bits), 0x1p63 / pow2(64 - format.bits))
    case .unsigned: (0, 0x1p64 / pow2(64 - format.bits))
    }
  try expect(least <= value && value <= most, "\(format) makes \(value)")
}

private func pow2(_ exponent: Int) -> Double { Double(sign: .plus, exponent: exponent, significand: 1) }

private func decode(_ scan: [UInt8], _ formats: [ScanFormat]) throws(Violation) {
  let ids = ["accel_x", "accel_y", "accel_z", "timestamp"]
  let channels = zip(ids, formats).enumerated().map {
    ScanChannel(id: $0.element.0, index: $0.offset, format: $0.element.1)
  }
  let scale = ChannelScale(offset: 0.5, scale: 0.0098)
  guard let decoder = try? ScanDecoder(scansOf: channels, name: "f", scale: { _ in scale }) else {
    let size = formats.reduce(0) { $0 + $1.byteCount }
    return try expect(channels.count < 3 || size > 256, "three axes are not decoded")
  }
  guard scan.count >= decoder.scanSize else { return }
  let reading = scan.withUnsafeBytes { bytes in bytes.baseAddress.map { decoder.acceleration(at: $0) } }
  _ = scan.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { decoder.timestamp(at: $0) } }
  guard let reading else { return }
  try expect(reading.x.isFinite && reading.y.isFinite && reading.z.isFinite, "\(reading) is decoded")
}
