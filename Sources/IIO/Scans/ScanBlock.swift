// SPDX-License-Identifier: Apache-2.0

/// The memory into which a block of scans is read.
@usableFromInline  // for its deinit, as AttributeFile
struct ScanBlock: ~Copyable {
  let address: UnsafeMutableRawPointer
  let byteCount: Int

  init(byteCount: Int) {
    self.byteCount = byteCount
    address = .allocate(byteCount: byteCount, alignment: 8)
  }

  deinit { address.deallocate() }
}
