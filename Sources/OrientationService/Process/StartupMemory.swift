// SPDX-License-Identifier: Apache-2.0

// What the start needs and sampling does not. libsystemd and libiio bring along some twenty libraries; relocating and
// initializing them touches 3 MB of code, symbols and constants, which would stay on the daemon's account until memory
// is short (RSS while sampling: 4.1 MB instead of 7.1, measured on Debian 12).

import CLinux

/// Has both threads share one heap that stays small; to be called before the second one starts.
///
/// The sampler allocates when it opens a sensor and not while it samples: a heap of its own costs it 16 kB and saves it
/// no waiting. What is large lives short, such as the 32 kB of each opendir(3): mapped by itself, it leaves no hole behind
/// (16 kB). What a message took at the end of the heap goes back at once: at a few messages a second that costs nothing.
func keepHeapSmall() {
  _ = mallopt(M_ARENA_MAX, 1)
  _ = mallopt(M_MMAP_THRESHOLD, 16 * 1024)
  _ = mallopt(M_TOP_PAD, 0)
  _ = mallopt(M_TRIM_THRESHOLD, 4096)
}

/// Gives back the memory that finding and opening a sensor took on the heap and on this thread's stack and left free.
///
/// libiio describes every device with all its attributes, and walks deep into sysfs for that (50 kB, measured).
func releaseOpeningMemory() {
  _ = malloc_trim(0)
  // Below the frames of the callees that are yet to come, the stack holds nothing any more.
  let (nearby, reach): (UInt, UInt) = (8 << 10, 64 << 10)
  withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { frame in
    let end = (UInt(bitPattern: frame.baseAddress) - nearby) / pageSize * pageSize
    _ = madvise(UnsafeMutableRawPointer(bitPattern: end - reach), Int(reach), MADV_DONTNEED)
  }
}

/// Lets go of the pages of code and constants that only the start has touched.
///
/// They are clean pages of files: one that is used again is mapped again, from the page cache. What can be written is
/// left alone, the pages that relocation has written included: those exist in memory only.
func releaseStartupPages() {
  _ = dl_iterate_phdr(
    { object, _, _ in
      guard let object = object?.pointee else { return 0 }
      let base = UInt(object.dlpi_addr)
      let segments = UnsafeBufferPointer(start: object.dlpi_phdr, count: Int(object.dlpi_phnum))
      guard !segments.contains(where: { hasTextRelocations($0, base: base) }) else { return 0 }
      for segment in segments where segment.p_type == PT_LOAD && segment.p_flags & UInt32(PF_W) == 0 {
        let start = (base + UInt(segment.p_vaddr)) / pageSize * pageSize
        let end = base + UInt(segment.p_vaddr) + UInt(segment.p_memsz)
        // A refusal, for pages that are locked or the kernel's own, leaves them as they are.
        _ = madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
      }
      return 0
    }, nil)
}

private var pageSize: UInt { UInt(sysconf(CInt(_SC_PAGESIZE))) }

/// Whether this segment says that relocation has written even where writing is not allowed, as in old 32-bit libraries.
private func hasTextRelocations(_ segment: elf_segment, base: UInt) -> Bool {
  guard segment.p_type == PT_DYNAMIC,
    var entry = UnsafePointer<elf_dynamic>(bitPattern: base + UInt(segment.p_vaddr))
  else { return false }
  while Int(entry.pointee.d_tag) != Int(DT_NULL) {
    if Int(entry.pointee.d_tag) == Int(DT_TEXTREL) { return true }
    if Int(entry.pointee.d_tag) == Int(DT_FLAGS), Int(entry.pointee.d_un.d_val) & Int(DF_TEXTREL) != 0 {
      return true
    }
    entry += 1
  }
  return false
}
