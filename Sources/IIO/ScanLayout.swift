// SPDX-License-Identifier: Apache-2.0

/// Where in a scan each enabled channel is.
///
/// The kernel puts the enabled channels in the order of their scan index, each aligned to its own size, and fills
/// the scan up to a multiple of the largest (iio_compute_scan_bytes in drivers/iio/industrialio-buffer.c). The
/// timestamp has the highest index, so that it comes last. Channels that share an index share its place.
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

  /// The bytes that each scan takes.
  public let scanSize: Int
  private let offsets: [(index: Int, offset: Int)]

  /// Lays out the enabled channels, given in any order.
  public init(_ elements: [Element]) {
    var end = 0
    var largest = 1
    var offsets: [(index: Int, offset: Int)] = []
    for element in elements.sorted(by: { $0.index < $1.index }) {
      if let last = offsets.last, last.index == element.index { continue }
      let size = element.format.byteCount
      end = Self.roundUp(end, toMultipleOf: size)
      offsets.append((element.index, end))
      end += size
      largest = max(largest, size)
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
