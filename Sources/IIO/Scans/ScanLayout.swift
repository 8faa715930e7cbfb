// SPDX-License-Identifier: Apache-2.0

/// A channel in a scan.
struct ScanChannel {
  /// Its id, such as "accel_x".
  var id: String
  /// Its scan index.
  var index: Int
  /// How its values are stored.
  var format: ScanFormat
}

/// The place of a channel in a scan, and how its values are stored there.
struct ScanElement: BitwiseCopyable {
  /// Where it begins, in bytes.
  let offset: Int
  let format: ScanFormat

  /// The channel's value in the scan at this address, in counts.
  @inline(__always)
  func value(inScanAt scan: UnsafeRawPointer) -> Double { format.value(at: scan + offset) }
}

/// The place of each enabled channel in a scan.
///
/// The kernel stores the enabled channels in the order of their scan index, each aligned to its own size, and pads the scan
/// to a multiple of the largest (iio_compute_scan_bytes in drivers/iio/industrialio-buffer.c). The timestamp has the
/// highest index, so it comes last. Channels that share an index share its place, and must have the same format.
struct ScanLayout {
  /// The largest scan that is read, in bytes: a dozen channels take a tenth of it.
  ///
  /// With a fast sensor, a block has thousands of scans; with the kernel's own limits, it would take gigabytes.
  static let largestScan = 1024

  /// The size of a scan, in bytes.
  let scanSize: Int
  private let name: String
  private var elements: [(id: String, element: ScanElement)] = []

  /// Computes the layout of a device's enabled channels, in any order.
  ///
  /// - Parameters:
  ///   - channels: the channels.
  ///   - name: the device's name, for errors.
  /// - Throws: ``SourceError/noBuffer(device:reason:)``, because the sensor can still be polled.
  init(_ channels: [ScanChannel], of name: String) throws(SourceError) {
    var end = 0
    var largest = 1
    var offset = 0
    var last: ScanChannel?
    for channel in channels.sorted(by: { $0.index < $1.index }) {
      let (index, format) = (channel.index, channel.format)
      guard index >= 0 else { throw .noBuffer(device: name, reason: "a channel has no scan index") }
      if let last, last.index == index {
        // One of them would be read wrongly.
        guard last.format == format else {
          let formats = "the formats \(last.format) and \(format)"
          throw .noBuffer(device: name, reason: "two channels have the scan index \(index), but \(formats)")
        }
      } else {
        offset = Self.roundUp(end, toMultipleOf: format.byteCount)
        end = offset + format.byteCount
        largest = max(largest, format.byteCount)
        // Checked for each channel, so that the sum cannot overflow.
        guard end <= Self.largestScan else {
          throw .noBuffer(device: name, reason: "a scan would take at least \(end) bytes")
        }
      }
      last = channel
      elements.append((channel.id, ScanElement(offset: offset, format: format)))
    }
    self.name = name
    scanSize = Self.roundUp(end, toMultipleOf: largest)
  }

  /// The place of the channel with this id.
  ///
  /// - Throws: ``SourceError/noBuffer(device:reason:)`` if it is not enabled.
  func element(_ id: String) throws(SourceError) -> ScanElement {
    guard let found = elements.first(where: { $0.id == id }) else {
      throw .noBuffer(device: name, reason: "\(id) is not a scan element")
    }
    return found.element
  }

  private static func roundUp(_ value: Int, toMultipleOf size: Int) -> Int {
    (value + size - 1) / size * size
  }
}
