// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

/// The measurement of the rate at which a sensor fills its buffer, if its driver has no attribute for that.
///
/// Some chips have a rate of their own, such as the 1,792 Hz of stk8ba50, whose driver does not let it be changed.
enum RateMeasurement {
  /// The highest rate that is expected, in hertz.
  static let highest = 6400.0
  /// How long scans are collected, in seconds, and how often for a slow sensor: this cannot be interrupted.
  private static let seconds = 0.25
  private static let most = 3
  /// How many scans show a rate.
  private static let enough = 3

  /// Measures a rate by the driver's time stamps, or by the number of scans if it has none that can be.
  ///
  /// - Parameters:
  ///   - buffer: the buffer, just enabled, with room for this time.
  ///   - decoder: decodes its scans.
  /// - Returns: the rate in hertz; nil if the buffer has too few scans.
  static func rate(of buffer: borrowing IIOBuffer, decodedBy decoder: ScanDecoder) -> Double? {
    let block = ScanBlock(byteCount: decoder.scanSize * Int(highest * seconds))
    let start = BootTime.now
    var (scans, first, last): (Int, BootTime?, BootTime?) = (0, nil, nil)
    for _ in 0..<most where scans < enough {
      usleep(UInt32(seconds * 1e6))
      let bytes = read(buffer.nodeDescriptor, block.address, block.byteCount)
      guard bytes >= decoder.scanSize else { continue }
      let count = bytes / decoder.scanSize
      if scans == 0 { first = decoder.timestamp(at: block.address) }
      last = decoder.timestamp(at: block.address + (count - 1) * decoder.scanSize)
      scans += count
    }
    guard scans >= enough else { return nil }
    let elapsed = BootTime.now.seconds(since: start)
    let byStamps = first.flatMap { first in last.map { Double(scans - 1) / $0.seconds(since: first) } }
    return byStamps.flatMap { credibleFrequency($0) } ?? credibleFrequency(Double(scans) / elapsed)
  }
}
