// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

// The measurement of the rate at which a sensor fills its buffer, if its driver has no attribute for that.
//
// Some chips have a rate of their own, such as the 1,792 Hz of stk8ba50, whose driver does not let it be changed.

extension IIOBuffer {
  /// How long scans are collected, in seconds, and how often for a slow sensor: this cannot be interrupted.
  private static let measuringSeconds = 0.25
  /// How many scans there must be room for: those of this time at 6,400 Hz, the highest rate that is expected.
  static let measuredScans = 1600
  private static let mostReads = 3
  /// How many scans show a rate.
  private static let enoughScans = 3

  /// Measures the rate of a buffer that was just enabled, with room for this time: by the driver's time stamps, or by the
  /// number of scans if it has none that can be.
  ///
  /// - Parameter decoder: decodes its scans.
  /// - Returns: the rate in hertz; nil if the buffer has too few scans.
  /// - Throws: as ``read(into:)``.
  borrowing func measuredRate(decodedBy decoder: ScanDecoder) throws(SourceError) -> Double? {
    let block = ScanBlock(scanSize: decoder.scanSize, capacity: Self.measuredScans)
    let start = BootTime.now
    var (found, first, last): (Int, BootTime?, BootTime?) = (0, nil, nil)
    for _ in 0..<Self.mostReads where found < Self.enoughScans {
      usleep(UInt32(Self.measuringSeconds * 1e6))
      let count = try read(into: block)
      guard count > 0 else { continue }
      if found == 0 { first = decoder.timestamp(at: block.scan(0)) }
      last = decoder.timestamp(at: block.scan(count - 1))
      found += count
    }
    guard found >= Self.enoughScans else { return nil }
    let elapsed = BootTime.now.seconds(since: start)
    let byStamps = first.flatMap { first in last.map { Double(found - 1) / $0.seconds(since: first) } }
    return byStamps.flatMap { credibleFrequency($0) } ?? credibleFrequency(Double(found) / elapsed)
  }
}
