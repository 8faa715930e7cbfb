// SPDX-License-Identifier: Apache-2.0

// How a program that waits most of the time needs little memory meanwhile.

import CLinux

/// Makes all threads share one heap that stays small.
///
/// Call this before the second thread starts.
///
/// The sampler allocates when it opens a sensor and not while it samples: a heap of its own would cost 16 kB and save no
/// waiting. Large blocks live for a short time, such as the 32 kB of each opendir(3): a mapping of their own leaves no hole in the
/// heap (16 kB). Memory that a message used at the end of the heap is returned at once: at a few messages a second that costs nothing.
package func keepHeapSmall() {
  _ = mallopt(M_ARENA_MAX, 1)
  _ = mallopt(M_MMAP_THRESHOLD, 16 * 1024)
  _ = mallopt(M_TOP_PAD, 0)
  _ = mallopt(M_TRIM_THRESHOLD, 4096)
}

/// Returns unused memory of the heap to the system, and that of this thread's stack which earlier calls have used.
///
/// It is never inlined: as part of a function with a large frame, `frame` could be far above the end of that frame, whose variables
/// would be lost.
@inline(never)
package func releaseHeapAndStack() {
  _ = malloc_trim(0)
  // Below this, apart from room for the frames of the next callees, the stack is not in use any more.
  let (nearby, reach): (UInt, UInt) = (4 << 10, 64 << 10)
  withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { frame in
    let end = (UInt(bitPattern: frame.baseAddress) - nearby) / pageSize * pageSize
    _ = madvise(UnsafeMutableRawPointer(bitPattern: end - reach), Int(reach), MADV_DONTNEED)
  }
}

/// Releases what this thread used until now, and does not need while it waits.
package func releaseUnusedPages() {
  releaseHeapAndStack()
  releaseCodePages()
}

/// Releases the pages of code and constants.
///
/// They are clean pages of files: one that is used again is mapped again, from the page cache. Writable pages are not released,
/// nor are those that relocation has written: their contents exist in memory only.
private func releaseCodePages() {
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

/// Whether this segment says that relocation has also written to read-only segments, as in old 32-bit libraries.
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
