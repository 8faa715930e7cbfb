// SPDX-License-Identifier: Apache-2.0

// A program can send descriptors with its requests. The daemon does not take them, but before Linux 6.16 it cannot refuse them either: the
// kernel closes such files when the bytes are received or dropped, in the thread that does so, and the program decides how long that takes
// (a TCP socket with SO_LINGER waits for its other end). So bytes with descriptors are never received, and connections that contain any
// are closed by a thread of their own. A timer sends it a signal each millisecond, which ends such a wait. There is no such thread as long as
// no program tries this.
//
// Not every wait ends at a signal (a file of a FUSE file system may wait for its server). So the connections that are to be closed are
// kept, in any number that the service has descriptors for: nobody waits for this thread.

import CLinux
import IIO

/// Closes connections without waiting.
final class DescriptorCloser: @unchecked Sendable {
  // Unchecked, because the lock protects what changes.

  static let shared = DescriptorCloser()

  /// How often bytes are dropped at most: more often than the kernel's queue of a connection holds any.
  private static let mostDrops = 4096
  /// How many at a time.
  private static let dropSize = 4096

  /// How often a signal interrupts the thread, in nanoseconds.
  private static let signalPeriod = 1_000_000

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var waiting: [CInt] = []
  private var isRunning = false

  private init() { pthread_mutex_init(lock, nil) }

  /// How many connections are to be closed.
  var count: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return waiting.count
  }

  /// Closes a connection, perhaps later.
  func dispose(of descriptor: CInt) {
    // Nothing can be sent afterwards, so nothing comes between the look into the queue and the end.
    _ = shutdown(descriptor, CInt(SHUT_RDWR))
    guard !Self.dropBytes(of: descriptor) else {
      _ = close(descriptor)
      return
    }
    pthread_mutex_lock(lock)
    waiting.append(descriptor)
    let mustStart = !isRunning
    isRunning = true
    pthread_mutex_unlock(lock)
    guard mustStart else { return }
    do throws(SourceError) {
      try detachThread { [self] in run() }
    } catch {
      // The next one tries it again.
      pthread_mutex_lock(lock)
      isRunning = false
      pthread_mutex_unlock(lock)
    }
  }

  /// Drops the bytes of a connection up to those with descriptors; returns whether there were none.
  static func dropBytes(of descriptor: CInt) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: dropSize, alignment: 1) { bytes in
      for _ in 0..<mostDrops {
        let count = receivePlainBytes(descriptor, bytes.baseAddress, size: bytes.count)
        guard count > 0 else { return count != -2 }
      }
      return false
    }
  }

  private func run() {
    nameThread("motion-closer")
    var timer: timer_t?
    // If it fails, a program decides how long this thread waits, as with the waits that no signal ends.
    let isInterrupted = interruptWaits(everyNanoseconds: Self.signalPeriod, timer: &timer) == 0
    while let next = next() { _ = close(next) }
    if isInterrupted { timer_delete(timer) }
  }

  private func next() -> CInt? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard let next = waiting.popLast() else {
      // It may have had room for very many.
      waiting = []
      isRunning = false
      return nil
    }
    return next
  }
}
