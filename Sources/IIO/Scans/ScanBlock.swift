// SPDX-License-Identifier: Apache-2.0

/// The memory into which a block of scans is read.
@usableFromInline  // for its deinit, as AttributeFile
struct ScanBlock: ~Copyable {
  let address: UnsafeMutableRawPointer
  let scanSize: Int
  /// How many scans it has room for.
  let capacity: Int

  init(scanSize: Int, capacity: Int) {
    (self.scanSize, self.capacity) = (scanSize, capacity)
    address = .allocate(byteCount: scanSize * capacity, alignment: 8)
  }

  /// The address of a scan, counted from 0.
  @inline(__always)
  borrowing func scan(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(address + number &* scanSize) }

  deinit { address.deallocate() }
}
