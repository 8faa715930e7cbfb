// SPDX-License-Identifier: Apache-2.0

// Frees memory that the start, a scan of the devices, and calls need and sampling does not. Relocating and initializing the libraries,
// and the code of all that runs once, touch 2.5 MB of code, symbols and constants, which would count as the daemon's memory until
// memory is short (RSS while sampling: 2.6 MB instead of 5.1, measured on Debian 12). HACKING.md accounts for the rest.

import CLinux
import IIO
import Systemd

/// Makes both threads share one heap that stays small.
///
/// Call this before the second thread starts.
///
/// The sampler allocates when it opens a sensor and not while it samples: a heap of its own would cost 16 kB and save no
/// waiting. Large blocks live for a short time, such as the 32 kB of each opendir(3): a mapping of their own leaves no hole in the
/// heap (16 kB). Memory that a message used at the end of the heap is returned at once: at a few messages a second that costs nothing.
func keepHeapSmall() {
  _ = mallopt(M_ARENA_MAX, 1)
  _ = mallopt(M_MMAP_THRESHOLD, 16 * 1024)
  _ = mallopt(M_TOP_PAD, 0)
  _ = mallopt(M_TRIM_THRESHOLD, 4096)
}

/// Returns the memory to the system that finding and opening a sensor has used and freed.
///
/// libiio reads all attributes of every device, with deep recursion into sysfs (50 kB, measured). It is unloaded, too.
func releaseOpeningMemory() {
  Libiio.shared.unloadIfUnused()
  releaseHeapAndStack()
}

/// Returns unused memory of the heap to the system, and that of this thread's stack which earlier calls have used.
///
/// It is never inlined: as part of a function with a large frame, `frame` could be far above the end of that frame, whose variables
/// would be lost.
@inline(never)
func releaseHeapAndStack() {
  _ = malloc_trim(0)
  // Below this, apart from room for the frames of the next callees, the stack is not in use any more.
  let (nearby, reach): (UInt, UInt) = (4 << 10, 64 << 10)
  withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { frame in
    let end = (UInt(bitPattern: frame.baseAddress) - nearby) / pageSize * pageSize
    _ = madvise(UnsafeMutableRawPointer(bitPattern: end - reach), Int(reach), MADV_DONTNEED)
  }
}

/// Releases what the start, a scan of the devices, or the opening of a sensor has used, when all is quiet again.
final class MemoryRelease {
  /// After this time, the announcements that follow are made too, in seconds.
  private static let delaySeconds = 2.0

  private let connection: Connection
  private var timer: Timer?

  /// Creates one that does nothing yet.
  init(on connection: Connection) {
    self.connection = connection
  }

  /// Releases the memory in two seconds, counted from the last call: a storm of udev events loads libiio once.
  func soon() {
    // If it fails, the memory stays in use.
    timer = try? connection.loop.after(seconds: Self.delaySeconds) { [unowned(unsafe) self] in releaseAll() }
  }

  private func releaseAll() {
    timer = nil
    Libiio.shared.unloadIfUnused()
    releaseUnusedPages()
  }
}

/// Releases what the main thread used until now, and does not need while it waits.
func releaseUnusedPages() {
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
