// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

/// The measurement of the rate at which a sensor fills its buffer, if its driver has no attribute for that.
///
/// Some chips have a rate of their own, such as the 1,792 Hz of stk8ba50, whose driver does not let it be changed.
enum RateMeasurement {
  /// The highest rate that is expected, in hertz.
  static let highest = 6400.0
  /// How long scans are collected, in seconds: some of the slowest sensors that serve a tablet.
  private static let seconds = 0.25
  /// How many scans show a rate.
  private static let leastScans = 3

  /// Measures a rate by the drivers' time stamps, or by the number of scans.
  ///
  /// - Parameters:
  ///   - buffer: the buffer, just enabled, with room for this time.
  ///   - decoder: decodes its scans.
  /// - Returns: the rate in hertz; nil if the buffer has too few scans, or they contradict each other.
  static func rate(of buffer: borrowing IIOBuffer, decodedBy decoder: ScanDecoder) -> Double? {
    let start = BootTime.now
    usleep(UInt32(seconds * 1e6))
    let room = Int(highest * seconds)
    let block = ScanBlock(byteCount: decoder.scanSize * room)
    let bytes = read(buffer.nodeDescriptor, block.address, block.byteCount)
    let elapsed = BootTime.now.seconds(since: start)
    guard bytes > 0 else { return nil }
    let scans = bytes / decoder.scanSize
    guard scans >= leastScans else { return nil }
    let last = block.address + (scans - 1) * decoder.scanSize
    guard let from = decoder.timestamp(at: block.address), let to = decoder.timestamp(at: last) else {
      return credibleFrequency(Double(scans) / elapsed)
    }
    return credibleFrequency(Double(scans - 1) / to.seconds(since: from))
  }
}
