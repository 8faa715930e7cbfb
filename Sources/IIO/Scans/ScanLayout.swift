// SPDX-License-Identifier: Apache-2.0

/// The offset of each enabled channel in a scan.
///
/// The kernel stores the enabled channels in the order of their scan index, each aligned to its own size, and pads the scan
/// to a multiple of the largest (iio_compute_scan_bytes in drivers/iio/industrialio-buffer.c). The timestamp has the
/// highest index, so it comes last. Channels that share an index share its place, and must have the same format.
public struct ScanLayout: Equatable, Sendable {
  /// An enabled channel.
  public struct Element: Equatable, Sendable {
    /// The channel's scan index.
    public var index: Int
    /// How its values are stored.
    public var format: ScanFormat

    /// Creates an element.
    public init(index: Int, format: ScanFormat) {
      self.index = index
      self.format = format
    }
  }

  /// The size of a scan, in bytes.
  public let scanSize: Int
  private let offsets: [(index: Int, offset: Int)]

  /// The largest scan that is read, in bytes: a dozen channels take a tenth of it.
  ///
  /// With a fast sensor, a block has thousands of scans; with the kernel's own limits, it would take gigabytes.
  static let largestScan = 1024

  /// Why channels cannot form a scan.
  public enum Conflict: Error, Equatable {
    /// Two channels have the same index but different formats: one of them would be read wrongly.
    case sharedIndex(Int, ScanFormat, ScanFormat)
    /// A channel has no scan index.
    case noIndex
    /// The scan would be too large.
    case tooLarge(bytes: Int)
  }

  /// Computes the layout of the enabled channels, in any order.
  ///
  /// - Throws: ``Conflict``
  public init(_ elements: [Element]) throws(Conflict) {
    var end = 0
    var largest = 1
    var offsets: [(index: Int, offset: Int)] = []
    var last: Element?
    for element in elements.sorted(by: { $0.index < $1.index }) {
      guard element.index >= 0 else { throw .noIndex }
      if let last, last.index == element.index {
        guard last.format == element.format else {
          throw .sharedIndex(element.index, last.format, element.format)
        }
        continue
      }
      last = element
      let size = element.format.byteCount
      end = Self.roundUp(end, toMultipleOf: size)
      offsets.append((element.index, end))
      end += size
      largest = max(largest, size)
      // Checked for each channel, so that the sum cannot overflow.
      guard end <= Self.largestScan else { throw .tooLarge(bytes: end) }
    }
    self.offsets = offsets
    scanSize = Self.roundUp(end, toMultipleOf: largest)
  }

  /// The offset in bytes of the channel with this scan index; nil if it is not enabled.
  public func offset(ofIndex index: Int) -> Int? {
    offsets.first { $0.index == index }?.offset
  }

  private static func roundUp(_ value: Int, toMultipleOf size: Int) -> Int {
    (value + size - 1) / size * size
  }

  /// Whether two layouts put the same channels at the same offsets.
  public static func == (left: ScanLayout, right: ScanLayout) -> Bool {
    left.scanSize == right.scanSize && left.offsets.elementsEqual(right.offsets, by: ==)
  }
}

extension ScanLayout.Conflict: CustomStringConvertible {
  /// The problem, in words.
  public var description: String {
    switch self {
    case .sharedIndex(let index, let one, let other):
      "two channels have the scan index \(index), but the formats \(one) and \(other)"
    case .noIndex: "a channel has no scan index"
    case .tooLarge(let bytes): "a scan would take at least \(bytes) bytes"
    }
  }
}

extension ScanLayout {
  /// Computes the layout of a device's channels.
  ///
  /// - Parameters:
  ///   - elements: its enabled channels, in any order.
  ///   - name: the device's name, for errors.
  /// - Throws: ``SourceError/noBuffer(device:reason:)``, because the sensor can still be polled.
  init(_ elements: [Element], of name: String) throws(SourceError) {
    do throws(Conflict) {
      try self.init(elements)
    } catch {
      throw .noBuffer(device: name, reason: error.description)
    }
  }
}
